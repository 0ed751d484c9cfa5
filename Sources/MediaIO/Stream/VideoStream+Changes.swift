/// Changing the sinks and the source while frames flow.
extension VideoStream {
    /// Appends a sink, and brings it into the stream's state.
    ///
    /// For a sink of packets that joins a started stream, the source is asked for a key frame.
    ///
    /// - Throws: what the sink's steps throw, with the stream unchanged; ``StreamError/Code/wrongOrder`` if the stream
    ///   has the sink already, after ``dispose()``, and from within a sink.
    public func add(_ sink: any VideoSink) throws(StreamError) {
        var packetSource: (any VideoSource)?
        try change("add a sink") { (life) throws(StreamError) in
            guard !life.sinks.contains(where: { $0 === sink }), life.lifecycle.state != .disposed else {
                throw Self.refusal(life.source)
            }
            if life.lifecycle.state != .created {
                try sink.initialize()
                life.readySinks += 1
            }
            if life.lifecycle.state == .started {
                do throws(StreamError) {
                    try sink.start()
                } catch {
                    life.readySinks -= 1
                    sink.dispose()
                    throw error
                }
            }
            do throws(StreamError) {
                try life.relay.setSinks(life.sinks + [sink])
            } catch {
                if life.lifecycle.state == .started { sink.stop() }
                if life.lifecycle.state != .created {
                    life.readySinks -= 1
                    sink.dispose()
                }
                throw error
            }
            life.sinks.append(sink)
            wants.setSinks(life.sinks)
            if sink.bufferKind == .encoded, life.lifecycle.state == .started { packetSource = life.source }
        }
        // The new sink can only begin with a key frame. Asked for outside the step, since the source may call others.
        packetSource?.requestKeyFrame()
    }

    /// The error for a sink that the stream has already.
    static func refusal(_ source: any VideoSource) -> StreamError {
        StreamError(
            .wrongOrder, "\(source.name) cannot add the sink: it has it already, or is disposed. Make a new one.")
    }

    /// Removes a sink; when this returns, no frame is on its way to the sink, and it is stopped and disposed of.
    ///
    /// Does nothing if the stream does not have the sink. From within a sink, the running call is the last one, and the
    /// sink is stopped and disposed of later.
    public func remove(_ sink: any VideoSink) {
        if let relay = callingRelay {
            relay.remove(sink)
            return finish { $0.remove(sink) }
        }
        // The only possible error is a call from within a sink.
        try? change("remove a sink") { (life) throws(StreamError) in
            guard let index = life.sinks.firstIndex(where: { $0 === sink }) else { return }
            life.sinks.remove(at: index)
            try life.relay.setSinks(life.sinks)
            wants.setSinks(life.sinks)
            life.relay.awaitCaller()
            if life.lifecycle.state == .started { sink.stop() }
            if index < life.readySinks {
                life.readySinks -= 1
                sink.dispose()
            }
        }
    }

    /// Replaces the source by another one, which must not be initialized yet, and disposes of the old one.
    ///
    /// The new one is opened first, while the old one still delivers. When this returns, no frame of the old one is on
    /// its way or waiting in a ``FrameMailbox``; what is shown stays until the new source's first frame.
    ///
    /// - Throws: what the new source throws, and the old one then continues; ``StreamError/Code/wrongOrder`` after
    ///   ``dispose()`` and from within a sink.
    public func setSource(_ source: any VideoSource) throws(StreamError) {
        try change("change its source") { (life) throws(StreamError) in
            let (old, oldRelay) = (life.source, life.relay)
            let relay = SinkRelay(of: source, to: life.sinks, onCondition: onCondition)
            switch life.lifecycle.state {
            case .created: break
            case .disposed: throw StreamError(.wrongOrder, "\(old.name) is disposed: make a new stream.")
            case .initialized:
                try source.initialize(consumer: relay)
                wants.setSource(source)
            case .started:
                try source.initialize(consumer: relay)
                wants.setSource(source)
                // The sinks get one call at a time, so the old source is silent before the new one begins.
                oldRelay.close()
                oldRelay.awaitCaller()
                for sink in life.sinks { sink.sourceDidSwitch() }
                // A source may call its consumer while it starts, and a sink may then end the stream.
                appearance.withLock { $0.relay = relay }
                do throws(StreamError) {
                    try relay.open()
                    try source.start()
                } catch {
                    appearance.withLock { $0.relay = oldRelay }
                    relay.end()
                    source.dispose()
                    try oldRelay.open()
                    wants.setSource(old, knowing: nil)
                    throw error
                }
                old.stop()
            }
            oldRelay.end()
            old.dispose()
            (life.source, life.relay) = (source, relay)
        }
    }
}

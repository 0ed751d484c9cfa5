# Vitrail: `make` alone lists the targets.

SWIFT ?= swift
DOCC ?= docc
PREFIX ?= /usr/local
# Passed in the environment, so that no shell interprets the & of an option.
INPUTS ?=
export INPUTS
MINUTES ?= 30
SEED ?= 1
SECONDS ?= 600
PARSERS ?=
SUITES ?=
# Read by Package.swift.
TESTS =
export VITRAIL_TESTS = $(TESTS)

# The Swift runtime is linked into the program, so that it runs without a toolchain. It loads no library from its own
# folder, where anybody may have put one, and all its addresses are bound, and read-only, before it runs. It exports no
# symbols, so that unused functions are left out; equal functions are merged, and relocations packed, which glibc reads
# from 2.36 on (Debian 12). Swift has checks of the stack itself, C++ has them and those of copies by its options.
# Tables for unwinding the stack, an eighth of the program, are left out: nothing in it throws C++ exceptions.
# Without a cache of what to build, SwiftPM asks for the commit each time, which --version says.
release := build --disable-build-manifest-caching --configuration release --static-swift-stdlib --disable-local-rpath -Xswiftc -use-ld=lld \
    -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now -Xlinker --no-export-dynamic \
    -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --icf=safe \
    -Xlinker --no-eh-frame-hdr -Xlinker $(CURDIR)/Resources/no-unwinding.ld \
    -Xcxx -fstack-protector-strong -Xcxx -U_FORTIFY_SOURCE -Xcxx -D_FORTIFY_SOURCE=2
program := .build/release/vitrail
wayland_glfw := $(CURDIR)/.build/wayland-glfw
with_wayland := VITRAIL_WAYLAND_GLFW=$(wayland_glfw)
run_tests := VITRAIL_TOOLKITS=1 Tests/name-failures $(SWIFT) test
test_release := --configuration release -Xswiftc -enable-testing --scratch-path .build-release
# Nine cameras, of which the second has formats with several memory planes, and the last also an S-Video and an HDMI input,
# and outputs for both.
vivid := n_devs=9 node_types=1,1,1,1,1,1,1,1,0x101 num_inputs=1,1,1,1,1,1,1,1,3 input_types=0,0,0,0,0,0,0,0,56 multiplanar=1,2,1,1,1,1,1,1,1
sources := Package.swift Sources Tests Shaders

.DEFAULT_GOAL := help
.PHONY: help run build build-all test test-release test-thread test-address test-systems test-package test-v4l2 soak nodes fuzz bench bench-peers pictures docs test-docs api format lint install uninstall deb clean packages packages-test packages-install packages-deb packages-browser packages-soak packages-nodes packages-bench packages-v4l2 toolchain

help: ## List the targets
	@echo "Vitrail shows many video streams in one window."
	@echo
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "  make run INPUTS='a.mp4 b.y4m'     your own inputs instead of the demo wall"
	@echo "  make test TESTS='VitrailGL MediaIO'      only those tests and what they need; also for test-release, -thread, -address"
	@echo "  make install PREFIX=$$HOME/.local  install elsewhere than in /usr/local"
	@echo
	@echo "Missing Debian packages are installed (as root or with sudo); Resources/debian-packages.txt lists them."

run: build ## Build and open the demo wall; without a display, render it to vitrail.png
	@set -f; set -- $$INPUTS; $(program) "$$@" || { status=$$?; [ $$status -eq 69 ] || exit $$status; \
	    $(program) render "$$@" --output vitrail.png && \
	    echo "There is no display to open a window on, so the wall was rendered to vitrail.png instead."; }

build: packages ## Build the program, optimised
	$(SWIFT) $(release) --product vitrail

build-all: packages ## Build everything but the tests, optimised: the program, examples, benchmark
	$(SWIFT) $(release)

test: packages-test ## Run all tests, on their own virtual display
	$(with_wayland) $(run_tests)

test-release: packages-test ## Run all tests, optimised
	$(with_wayland) $(run_tests) $(test_release)

test-thread: packages-test ## Run all tests under the thread sanitizer
	$(with_wayland) $(run_tests) --sanitize=thread --scratch-path .build-thread

test-address: packages-test ## Run all tests under the address sanitizer
	LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/leaks.txt:print_suppressions=0 $(with_wayland) \
	    $(run_tests) --sanitize=address --scratch-path .build-address

test-systems: toolchain ## Build and test everything on a bare Debian 12 and a bare Debian 13; SUITES=trixie for one
	SWIFT=$(SWIFT) Tests/systems $(SUITES)

test-package: packages ## Build and run a small package that uses this one
	SWIFT=$(SWIFT) Tests/other-package

test-v4l2: TESTS = V4L2Capture
test-v4l2: packages-test packages-v4l2 ## Run the tests of cameras, in a virtual machine that has some
	$(SWIFT) build --build-tests $(test_release)
	VIVID_OPTIONS="$(vivid)" V4L2_MACHINE_MODULES="uvcvideo vhci_hcd" Tests/v4l2-machine .build/v4l2-machine \
	    .build-release/release/vitrailPackageTests.xctest --testing-library swift-testing --no-parallel --filter '\.V4L2.*Tests'

soak: build packages-test packages-soak ## Show a wall for MINUTES=30 while servers die, disks fill and keys are pressed
	$(SWIFT) $(release) --product Soak
	.build/release/Soak $(program) $(MINUTES) $(SEED)

nodes: build packages-test packages-nodes ## Show a wall of the walls of four machines, lose each of them, and measure: as root
	$(SWIFT) $(release) --product Nodes
	.build/release/Nodes $(program)

fuzz: packages-test ## Fuzz every parser for SECONDS=600 each; PARSERS="walls control" for some
	SWIFT=$(SWIFT) Tests/fuzz $(SECONDS) $(PARSERS)

bench: packages ## Measure processor time per picture; in a window, too, if there is a display
	$(SWIFT) run --configuration release VitrailBenchmark

bench-peers: build packages-bench ## Measure processor time beside FFmpeg, GStreamer, mpv and SDL; PEERS="W1 W2" for some workloads
	$(SWIFT) build --configuration release --product VitrailBenchmark
	.build/release/VitrailBenchmark peers $(PEERS)

pictures: packages-test ## Render the pictures of the documentation again
	RECORD_REFERENCES=1 $(SWIFT) test --filter EffectArticleTests || true
	$(SWIFT) $(release) --product vitrail
	Resources/picture-wall $(program) Sources/vitrail/Vitrail.docc/Resources
	$(SWIFT) run vitrail effects --demo --start 3 --size 1280x720 --output Sources/vitrail/Vitrail.docc/Resources/effects.png

docs: packages ## Build the documentation of all modules in .build/docs
	SWIFT=$(SWIFT) DOCC=$(DOCC) Resources/build-docs

test-docs: docs packages-browser ## Open the documentation in a browser: no dead link, no error
	Tests/docs-in-browser

api: docs packages-install ## List the public symbols of each library in Resources/api again
	Resources/list-symbols

format: packages ## Format all Swift files
	$(SWIFT) format --in-place --parallel --recursive $(sources)

lint: packages ## Check the formatting and style of all Swift files
	$(SWIFT) format lint --strict --parallel --recursive $(sources)

install: build packages-install ## Install the program, its manual, completions and desktop entry under PREFIX
	Resources/install-files $(program) $(PREFIX) $(DESTDIR)

uninstall: ## Remove the installed files
	Resources/install-files --list $(PREFIX) $(DESTDIR) | xargs -d '\n' rm -f

deb: build packages-install packages-deb ## Build the package for Debian, .build/vitrail_VERSION_ARCHITECTURE.deb
	Resources/build-deb $(program)

clean: ## Remove all build products
	rm -rf .build .build-release .build-thread .build-address .build-fuzz vitrail.png

packages: toolchain
	@Resources/install-packages build run

packages-test: toolchain
	@Resources/install-packages build run test
	@Resources/unpack-wayland-glfw $(wayland_glfw)

packages-install: toolchain
	@Resources/install-packages install

packages-deb: toolchain
	@Resources/install-packages deb

packages-browser: toolchain
	@Resources/install-packages browser

packages-soak: toolchain
	@Resources/install-packages soak

packages-nodes: toolchain
	@Resources/install-packages nodes

packages-bench: packages-test
	@Resources/install-packages bench

packages-v4l2: toolchain
	@Resources/install-packages v4l2

toolchain:
	@command -v $(SWIFT) >/dev/null || { \
	    echo "There is no $(SWIFT) in PATH: install Swift 6.2 or newer from https://www.swift.org/install/linux" >&2; exit 1; }

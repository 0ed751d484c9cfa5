#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/memfd.h>
#include <linux/sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

// Makes memory for processes to share, a file without a name that nobody can make shorter or longer: reading it never ends
// a process. Returns its descriptor, or -1 and errno.
static inline int vitrail_shared_memory(size_t size)
{
    // Those of <fcntl.h>, which states them only with _GNU_SOURCE.
    enum { add_seals = 1033, seal = 1, shrink = 2, grow = 4 };
    const int file = (int)syscall(SYS_memfd_create, "pictures", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return -1;
    if (ftruncate(file, (off_t)size) == 0 && fcntl(file, add_seals, seal | shrink | grow) == 0) return file;
    const int error = errno;
    close(file);
    errno = error;
    return -1;
}

// How long to wait for something to receive.
static inline void vitrail_set_patience(int socket, long seconds)
{
    const struct timeval time = {seconds, 0};
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
}

// Closes all files but the first `count`, and leaves no memory dump.
static inline int vitrail_let_go(unsigned count)
{
    if (syscall(SYS_close_range, count, ~0U, 0) < 0) return -errno;
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) return -errno;
    const struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_CORE, &none) < 0 || setrlimit(RLIMIT_FSIZE, &none) < 0 ? -errno : 0;
}

// From now on, this process computes, has threads and memory, and reads and writes what is open: anything else kills it.
// It has no file system: what looks for a file is told that it may not.
static inline int vitrail_confine(void)
{
    static const int allowed[] = {
        SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(recvfrom), SCMP_SYS(recvmsg), SCMP_SYS(sendto), SCMP_SYS(sendmsg),
        SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(close), SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap),
        SCMP_SYS(madvise), SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(set_tid_address),
        SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(restart_syscall), SCMP_SYS(rt_sigprocmask),
        SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack), SCMP_SYS(sched_yield),
        SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_getparam), SCMP_SYS(sched_getscheduler), SCMP_SYS(getpriority),
        SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
        SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getrandom),
        SCMP_SYS(getcpu), SCMP_SYS(membarrier), SCMP_SYS(getrusage),
    };
    static const int refused[] = {
        SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(fstat), SCMP_SYS(newfstatat),
        SCMP_SYS(statx), SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink),
        SCMP_SYS(readlinkat), SCMP_SYS(getcwd), SCMP_SYS(ioctl), SCMP_SYS(prlimit64), SCMP_SYS(sysinfo),
        SCMP_SYS(uname), SCMP_SYS(prctl), SCMP_SYS(setpriority), SCMP_SYS(sched_setaffinity),
        SCMP_SYS(sched_setscheduler),
    };
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    if (!filter) return -ENOMEM;
    int result = 0;
    for (size_t i = 0; !result && i < sizeof allowed / sizeof *allowed; i++)
        result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
    for (size_t i = 0; !result && i < sizeof refused / sizeof *refused; i++)
        result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EACCES), refused[i], 0);
    // No new code, and no new process; without clone3, whose arguments no filter sees, libraries use clone.
    const struct scmp_arg_cmp data = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
    const struct scmp_arg_cmp thread = SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD);
    if (!result) result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, data);
    if (!result) result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, data);
    if (!result) result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, thread);
    if (!result) result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    if (!result) result = seccomp_load(filter);
    seccomp_release(filter);
    return result;
}

// Has the parent trace this process, which a filter forbids; Swift sees no functions with variable arguments.
static inline long vitrail_trace(void) { return ptrace(PTRACE_TRACEME, 0, 0, 0); }

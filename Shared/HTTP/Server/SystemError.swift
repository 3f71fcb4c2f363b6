private import Glibc

/// `errno`, which only the C library's own module lets Swift see.
func lastErrorCode() -> Int32 { errno }

/// What the last failed system call has to say.
func lastSystemError() -> String { unsafe String(cString: strerror(errno)) }

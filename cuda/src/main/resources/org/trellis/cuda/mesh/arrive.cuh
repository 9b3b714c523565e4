// Flags in the memory of another device that say that something has been written there. Each is written by one device
// and waited for by the one that has the memory, whose kernel is started only when the other's has been, or is about to
// be by a host that waits for no device in between.

#define FLAG_STRIDE 128
// Some minutes of looking.
#ifndef MOST_LOOKS
#define MOST_LOOKS (1LL << 28)
#endif

__device__ __forceinline__ void raiseFlag(char* flags, int turn, unsigned round) {
    __threadfence_system();
    *(volatile unsigned*) (flags + turn * FLAG_STRIDE) = round;
}

__device__ __forceinline__ void awaitFlag(const char* flags, int turn, unsigned round) {
    const volatile unsigned* flag = (const volatile unsigned*) (flags + turn * FLAG_STRIDE);
    for (long long look = 0; (int) (*flag - round) < 0; look++) {
        if (look > MOST_LOOKS) {
            __trap();
        }
    }
    __threadfence_system();
}

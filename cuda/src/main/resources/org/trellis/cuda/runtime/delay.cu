// Keeps the device busy for some nanoseconds, while the host queues what is to be timed.

extern "C" __global__ void __launch_bounds__(1) trellisDelay(long long nanoseconds) {
    unsigned long long start;
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do {
        __nanosleep(200);
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - start < (unsigned long long)nanoseconds);
}

// Runs CUDA C on the host, for tests of generated code where there is no GPU: blocks one after the other, the threads of
// a block as coroutines that change places at barriers. A barrier that some threads of a block do not reach is an error.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ucontext.h>
#include <vector>

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(threads)
#define __grid_constant__
#define __shared__ static
#define __align__(bytes) __attribute__((aligned(bytes)))

struct __align__(16) double2 { double x, y; };
struct __align__(8) float2 { float x, y; };
struct __align__(16) float4 { float x, y, z, w; };
struct __align__(8) int2 { int x, y; };
struct __align__(16) int4 { int x, y, z, w; };

struct Dimensions { unsigned x; };
static Dimensions threadIdx, blockIdx, gridDim;
static unsigned char* emulatedPool;

template <class T> T __ldg(const T* p) { return *p; }
template <class T> T __ldcs(const T* p) { return *p; }
template <class T> void __stcs(T* p, T value) { *p = value; }
template <class T> T __ldcg(const T* p) { return *p; }
template <class T> T atomicAdd(T* p, T value) { T old = *p; *p = old + value; return old; }
inline unsigned atomicInc(unsigned* p, unsigned limit) { unsigned old = *p; *p = old >= limit ? 0 : old + 1; return old; }
inline void __threadfence() {}
inline double __longlong_as_double(long long bits) { double d; std::memcpy(&d, &bits, sizeof d); return d; }
inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a > b ? a : b; }
using std::fabs; using std::fmax; using std::fmin; using std::sqrt;

namespace emulation {
struct Thread { ucontext_t context; std::vector<char> stack; bool finished; };
static ucontext_t scheduler;
static std::vector<Thread> threads;
static unsigned current;
static void (*body)();

inline void enter() {
    body();
    threads[current].finished = true;
}

inline void barrier() {
    swapcontext(&threads[current].context, &scheduler);
}

// Returns 0, or 1 if a barrier was not reached by all threads of a block.
inline int runBlock(unsigned count) {
    if (threads.size() != count) {
        threads.clear();
        threads.resize(count);
    }
    for (Thread& thread : threads) {
        getcontext(&thread.context);
        thread.stack.resize(1 << 16);
        thread.context.uc_stack.ss_sp = thread.stack.data();
        thread.context.uc_stack.ss_size = thread.stack.size();
        thread.context.uc_link = &scheduler;
        thread.finished = false;
        makecontext(&thread.context, enter, 0);
    }
    unsigned finished = 0;
    while (finished < count) {
        for (current = 0; current < count; current++) {
            threadIdx.x = current;
            swapcontext(&scheduler, &threads[current].context);
        }
        finished = 0;
        for (const Thread& thread : threads) {
            finished += thread.finished;
        }
        if (finished != 0 && finished != count) {
            return 1;
        }
    }
    return 0;
}

inline int run(void (*kernel)(), unsigned blocks, unsigned count, unsigned shared) {
    body = kernel;
    gridDim.x = blocks;
    std::vector<double> memory(2 + shared / sizeof(double) + 2);
    emulatedPool = (unsigned char*) (((uintptr_t) memory.data() + 15) / 16 * 16);
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++) {
        std::memset(memory.data(), 0xff, memory.size() * sizeof(double));
        if (runBlock(count) != 0) {
            return 1;
        }
    }
    return 0;
}
}

inline void __syncthreads() { emulation::barrier(); }

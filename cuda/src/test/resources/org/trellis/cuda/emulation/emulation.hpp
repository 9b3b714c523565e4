// Runs CUDA C on the host, for tests of generated code where there is no GPU: blocks one after the other, the threads of
// a block as coroutines that change places at barriers and where they exchange values. A barrier that some threads of a
// block do not reach is an error. Several threads of the host may each run a kernel.
#include <chrono>
#include <cmath>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <tuple>
#include <type_traits>
#include <ucontext.h>
#include <utility>
#include <vector>

#define EMULATED 1
#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__
#define __shared__ static thread_local
#define __align__(bytes) __attribute__((aligned(bytes)))

struct __align__(16) double2 { double x, y; };
struct __align__(8) float2 { float x, y; };
struct __align__(16) float4 { float x, y, z, w; };
struct __align__(8) int2 { int x, y; };
struct __align__(16) int4 { int x, y, z, w; };

// A texture: linear between the middles of texels, with 256 places between two, in single precision.
struct EmulatedTexture { const unsigned char* values; long long pitch; int columns, rows; };
template <class T> T tex2D(unsigned long long object, float x, float y) {
    const EmulatedTexture& texture = *reinterpret_cast<const EmulatedTexture*>(object);
    auto at = [&](int i, int j) {
        i = i < 0 ? 0 : i >= texture.columns ? texture.columns - 1 : i;
        j = j < 0 ? 0 : j >= texture.rows ? texture.rows - 1 : j;
        return reinterpret_cast<const float4*>(texture.values + j * texture.pitch)[i];
    };
    float s = x - 0.5f, t = y - 0.5f;
    int i = (int) std::floor(s), j = (int) std::floor(t);
    float a = std::round((s - i) * 256) / 256, b = std::round((t - j) * 256) / 256;
    float4 p = at(i, j), q = at(i + 1, j), u = at(i, j + 1), v = at(i + 1, j + 1);
    auto mix = [&](float k, float l, float m, float n) {
        return (1 - b) * ((1 - a) * k + a * l) + b * ((1 - a) * m + a * n);
    };
    return {mix(p.x, q.x, u.x, v.x), mix(p.y, q.y, u.y, v.y), mix(p.z, q.z, u.z, v.z), mix(p.w, q.w, u.w, v.w)};
}

struct Dimensions { unsigned x; };
struct BlockDimensions { unsigned x, y; };
static thread_local Dimensions threadIdx, blockIdx, gridDim;
static thread_local BlockDimensions blockDim;
static thread_local unsigned char* emulatedPool;

template <class T> T __ldg(const T* p) { return *p; }
template <class T> T __ldcs(const T* p) { return *p; }
template <class T> void __stcs(T* p, T value) { *p = value; }
template <class T> void __stcg(T* p, T value) { *p = value; }
template <class T> T __ldcg(const T* p) { return *p; }
// Blocks that run together run on threads of their own, so that integers need real atomic operations.
template <class T> T atomicAdd(T* p, T value) {
    if constexpr (std::is_integral<T>::value) {
        return __atomic_fetch_add(p, value, __ATOMIC_SEQ_CST);
    } else {
        T old = *p;
        *p = old + value;
        return old;
    }
}
inline unsigned atomicInc(unsigned* p, unsigned limit) { unsigned old = *p; *p = old >= limit ? 0 : old + 1; return old; }
template <class T> T atomicCAS(T* p, T expected, T value) { T old = *p; *p = old == expected ? value : old; return old; }
template <class T> T atomicOr(T* p, T value) { T old = *p; *p = old | value; return old; }
template <class T> T atomicMin(T* p, T value) { T old = *p; *p = value < old ? value : old; return old; }
template <class T> T atomicMax(T* p, T value) { T old = *p; *p = value > old ? value : old; return old; }
inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
inline int __ffs(int bits) { return __builtin_ffs(bits); }
inline void __threadfence_block() {}
inline void __threadfence() { __sync_synchronize(); }
inline void __threadfence_system() { __sync_synchronize(); }
inline void __nanosleep(unsigned) {}
inline unsigned long long emulatedNanoseconds() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
inline void __trap() { std::abort(); }
inline double __longlong_as_double(long long bits) { double d; std::memcpy(&d, &bits, sizeof d); return d; }
inline long long __double_as_longlong(double d) { long long bits; std::memcpy(&bits, &d, sizeof d); return bits; }
inline int __double2hiint(double d) { return (int) (__double_as_longlong(d) >> 32); }
inline int __float_as_int(float f) { int bits; std::memcpy(&bits, &f, sizeof f); return bits; }
inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a > b ? a : b; }
using std::fabs; using std::fmax; using std::fmin; using std::sqrt;

namespace emulation {
// The arguments of a kernel, each by its address, as a launch has them.
static thread_local void** arguments;

template <class... A, std::size_t... I> void call(void (*kernel)(A...), void** given, std::index_sequence<I...>) {
    kernel(*(typename std::remove_cv<A>::type*) given[I]...);
}
template <class... A> void call(void (*kernel)(A...), void** given) {
    call(kernel, given, std::index_sequence_for<A...>());
}
// The size of an argument, 0 behind the last.
template <class... A> int bytes(void (*)(A...), int number) {
    const int sizes[] = {(int) sizeof(A)..., 0};
    return number < (int) sizeof...(A) ? sizes[number] : 0;
}

// What a thread waits for.
enum State { READY, BARRIER, EXCHANGE, FINISHED };
struct Thread {
    ucontext_t context;
    jmp_buf place;
    std::vector<char> stack;
    State state;
    bool started;
    unsigned partner, exchanges;
    std::vector<double> values;
};
static thread_local ucontext_t plain;
static thread_local jmp_buf scheduler;
static thread_local std::vector<Thread> threads;
static thread_local unsigned current;
static thread_local void (*body)();

inline void enter() {
    body();
    threads[current].state = FINISHED;
    _longjmp(scheduler, 1);
}

inline void wait(State state) {
    threads[current].state = state;
    if (_setjmp(threads[current].place) == 0) {
        _longjmp(scheduler, 1);
    }
}

// Lets a thread go on until it waits or ends. Jumps take no system call, unlike changes of context, which only begin one.
inline void resume(Thread& thread) {
    if (_setjmp(scheduler) == 0) {
        if (thread.started) {
            _longjmp(thread.place, 1);
        }
        thread.started = true;
        setcontext(&thread.context);
    }
}

inline void barrier() {
    wait(BARRIER);
}

// The value of a partner, who exchanges as often. A thread may be several exchanges ahead, with other partners.
inline double exchange(double value, unsigned partner) {
    unsigned self = current;
    unsigned number = threads[self].exchanges++;
    threads[self].values.push_back(value);
    threads[self].partner = partner;
    if (threads[partner].exchanges <= number) {
        wait(EXCHANGE);
    }
    return threads[partner].values[number];
}

inline bool ready(const Thread& thread) {
    return thread.state == READY
            || (thread.state == EXCHANGE && threads[thread.partner].exchanges >= thread.exchanges);
}

// Returns 0, or 1 if a barrier or an exchange was not reached by all threads that it needs.
inline int runBlock(unsigned count) {
    if (threads.size() != count) {
        threads.clear();
        threads.resize(count);
    }
    getcontext(&plain);
    for (Thread& thread : threads) {
        thread.context = plain;
        thread.stack.resize(1 << 16);
        thread.context.uc_stack.ss_sp = thread.stack.data();
        thread.context.uc_stack.ss_size = thread.stack.size();
        thread.context.uc_link = nullptr;
        thread.state = READY;
        thread.started = false;
        thread.exchanges = 0;
        thread.values.clear();
        makecontext(&thread.context, enter, 0);
    }
    for (;;) {
        bool moved = false;
        for (current = 0; current < count; current++) {
            if (ready(threads[current])) {
                moved = true;
                threads[current].state = READY;
                threadIdx.x = current;
                resume(threads[current]);
            }
        }
        if (!moved) {
            unsigned finished = 0;
            for (Thread& thread : threads) {
                finished += thread.state == FINISHED;
                if (thread.state == EXCHANGE) {
                    return 1;
                }
                thread.state = thread.state == BARRIER ? READY : thread.state;
            }
            if (finished != 0) {
                return finished == count ? 0 : 1;
            }
        }
    }
}

inline int run(void (*kernel)(), unsigned blocks, unsigned count, unsigned shared, unsigned first = 0, unsigned last = 0) {
    body = kernel;
    gridDim.x = blocks;
    blockDim = {count, 1};
    std::vector<double> memory(2 + shared / sizeof(double) + 2);
    emulatedPool = (unsigned char*) (((uintptr_t) memory.data() + 15) / 16 * 16);
    for (blockIdx.x = first; blockIdx.x < (last == 0 ? blocks : last); blockIdx.x++) {
        std::memset(memory.data(), 0xff, memory.size() * sizeof(double));
        if (runBlock(count) != 0) {
            return 1;
        }
    }
    return 0;
}

// Runs each block on a thread of the host, for blocks that wait for each other.
inline int runTogether(void (*kernel)(), void** given, unsigned blocks, unsigned count, unsigned shared) {
    std::vector<int> codes(blocks);
    std::vector<std::thread> all;
    for (unsigned block = 0; block < blocks; block++) {
        all.emplace_back([=, &codes] {
            arguments = given;
            codes[block] = run(kernel, blocks, count, shared, block, block + 1);
        });
    }
    for (std::thread& one : all) {
        one.join();
    }
    for (int code : codes) {
        if (code != 0) {
            return code;
        }
    }
    return 0;
}
}

inline void __syncthreads() { emulation::barrier(); }

template <class T> inline T emulatedExchange(T value, unsigned partner) {
    double carried = 0;
    std::memcpy(&carried, &value, sizeof value);
    carried = emulation::exchange(carried, partner);
    T result;
    std::memcpy(&result, &carried, sizeof result);
    return result;
}

template <class T> inline T __shfl_xor_sync(unsigned, T value, int lanes) {
    return emulatedExchange(value, threadIdx.x ^ (unsigned) lanes);
}

template <class T> inline T __shfl_sync(unsigned, T value, int lane, int width = 32) {
    const unsigned lanes = (unsigned) width - 1;
    return emulatedExchange(value, (threadIdx.x & ~lanes) | ((unsigned) lane & lanes));
}

inline unsigned __ballot_sync(unsigned mask, bool value) {
    unsigned bits = (unsigned) value << (threadIdx.x & 31);
    for (unsigned half = (unsigned) __builtin_popcount(mask) / 2; half > 0; half >>= 1) {
        bits |= emulatedExchange(bits, threadIdx.x ^ half);
    }
    return bits;
}

inline bool __any_sync(unsigned mask, bool value) { return __ballot_sync(mask, value) != 0; }

inline bool __all_sync(unsigned, bool value) {
    double all = value;
    for (unsigned half = 16; half > 0; half >>= 1) {
        all *= emulation::exchange(all, threadIdx.x ^ half);
    }
    return all != 0;
}

// Waits for the threads of a mask, which are a power of two of neighbours.
inline void __syncwarp(unsigned mask) {
    for (unsigned half = (unsigned) __builtin_popcount(mask) / 2; half > 0; half >>= 1) {
        emulation::exchange(0, threadIdx.x ^ half);
    }
}

// The handle of a condition is where it is.
inline void cudaGraphSetConditional(unsigned long long handle, unsigned value) { *(unsigned*) handle = value; }

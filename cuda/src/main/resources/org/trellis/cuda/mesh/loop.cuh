// What the generated wrappers of parallel loops are made of: elements between memory and registers, the indirect data of
// a block in shared memory, reductions.
//
// THREADS: threads of a block.

// The widest word of at most 16 bytes that an element of N components consists of.
template <class T, int N>
struct Width {
    static constexpr int bytes = N * (int) sizeof(T);
    static constexpr int value = bytes % 16 == 0 ? 16 / (int) sizeof(T)
            : bytes % 8 == 0 && sizeof(T) < 8 ? 8 / (int) sizeof(T) : 1;
};

template <class T, int W> struct Word;
template <class T> struct Word<T, 1> { using Type = T; };
template <> struct Word<double, 2> { using Type = double2; };
template <> struct Word<float, 2> { using Type = float2; };
template <> struct Word<float, 4> { using Type = float4; };
template <> struct Word<int, 2> { using Type = int2; };
template <> struct Word<int, 4> { using Type = int4; };

// Many rows of a kernel's argument. Kernels index them; those that want addresses get an array of these.
template <class T, int N, int C>
struct WideRows {
    T (&rows)[N][C];
    mutable T* addresses[N];

    __device__ __forceinline__ explicit WideRows(T (&from)[N][C]) : rows(from) {}

    __device__ __forceinline__ T* operator[](int k) const {
        return rows[k];
    }

    __device__ __forceinline__ operator T* const*() const {
        for (int k = 0; k < N; k++) {
            addresses[k] = rows[k];
        }
        return addresses;
    }
};

// Data that nothing in the loop writes go through the read-only path (1); what is used once need not stay in caches (2).
template <int HOW, class P>
__device__ __forceinline__ P fetch(const P* from) {
    if constexpr (HOW == 2) {
        return __ldcs(from);
    } else if constexpr (HOW == 1) {
        return __ldg(from);
    } else {
        return *from;
    }
}

template <int HOW, class P>
__device__ __forceinline__ void put(P* to, P value) {
    if constexpr (HOW == 2) {
        __stcs(to, value);
    } else {
        *to = value;
    }
}

template <int N, bool SOA, int HOW, class T>
__device__ __forceinline__ void loadElement(T* to, const T* from, int element, int stride) {
    if constexpr (SOA) {
#pragma unroll
        for (int c = 0; c < N; c++) {
            to[c] = fetch<HOW>(from + element + c * stride);
        }
    } else {
        constexpr int W = Width<T, N>::value;
        using P = typename Word<T, W>::Type;
        const P* words = reinterpret_cast<const P*>(from) + element * (N / W);
#pragma unroll
        for (int k = 0; k < N / W; k++) {
            P word = fetch<HOW>(words + k);
            const T* parts = reinterpret_cast<const T*>(&word);
#pragma unroll
            for (int w = 0; w < W; w++) {
                to[k * W + w] = parts[w];
            }
        }
    }
}

template <int N, bool SOA, int HOW, class T>
__device__ __forceinline__ void storeElement(T* to, const T* from, int element, int stride) {
    if constexpr (SOA) {
#pragma unroll
        for (int c = 0; c < N; c++) {
            put<HOW>(to + element + c * stride, from[c]);
        }
    } else {
        constexpr int W = Width<T, N>::value;
        using P = typename Word<T, W>::Type;
        P* words = reinterpret_cast<P*>(to) + element * (N / W);
#pragma unroll
        for (int k = 0; k < N / W; k++) {
            P word;
            T* parts = reinterpret_cast<T*>(&word);
#pragma unroll
            for (int w = 0; w < W; w++) {
                parts[w] = from[k * W + w];
            }
            put<HOW>(words + k, word);
        }
    }
}

// What the other thread of a pair has.
template <class T, class P>
__device__ __forceinline__ P exchange(P word) {
    T* parts = reinterpret_cast<T*>(&word);
#pragma unroll
    for (int w = 0; w < (int) (sizeof(P) / sizeof(T)); w++) {
        parts[w] = __shfl_xor_sync(0xffffffffu, parts[w], 1);
    }
    return word;
}

// Elements of two words of 16 bytes, one for each thread and one after the other in memory: two threads load the two
// words of one element together and then those of the next, so that each access has whole sectors, and exchange what
// is not theirs. All threads of the warp take part.
template <int N, int HOW, class T>
__device__ __forceinline__ void loadPair(T* to, const T* from, int element) {
    constexpr int W = 16 / (int) sizeof(T);
    using P = typename Word<T, W>::Type;
    const int odd = threadIdx.x & 1;
    const P* words = reinterpret_cast<const P*>(from) + 2 * (element - odd) + odd;
    P first = fetch<HOW>(words);
    P second = fetch<HOW>(words + 2);
    P other = exchange<T>(odd ? first : second);
    P own[2] = {odd ? other : first, odd ? second : other};
    const T* parts = reinterpret_cast<const T*>(own);
#pragma unroll
    for (int c = 0; c < N; c++) {
        to[c] = parts[c];
    }
}

template <int N, int HOW, class T>
__device__ __forceinline__ void storePair(T* to, const T* from, int element) {
    constexpr int W = 16 / (int) sizeof(T);
    using P = typename Word<T, W>::Type;
    const int odd = threadIdx.x & 1;
    P own[2];
    T* parts = reinterpret_cast<T*>(own);
#pragma unroll
    for (int c = 0; c < N; c++) {
        parts[c] = from[c];
    }
    P other = exchange<T>(odd ? own[0] : own[1]);
    P* words = reinterpret_cast<P*>(to) + 2 * (element - odd) + odd;
    put<HOW>(words, odd ? other : own[0]);
    put<HOW>(words + 2, odd ? own[1] : other);
}

// Shared memory of each warp, by which its threads exchange values. One buffer, whatever goes through it.
constexpr int EXCHANGED = 12288;

template <int BLOCK>
__device__ __forceinline__ unsigned char* warpBuffer() {
    __shared__ __align__(16) unsigned char buffer[EXCHANGED];
    return buffer + (threadIdx.x / 32) * (EXCHANGED / (BLOCK / 32));
}

// How many elements of so many bytes go through the buffer of a warp at once: a power of 2, or 0.
__device__ constexpr int exchanged(int bytes, int block) {
    int count = 32;
    while (count > 0 && count * bytes > EXCHANGED / (block / 32)) {
        count /= 2;
    }
    return count;
}

// Elements of several components, of all threads of a warp and one after the other in memory: they go through shared
// memory, so that neighbouring threads write neighbouring values. Written by the thread that has it, an element of 18
// components fills sectors bit by bit. An odd distance keeps threads on banks of their own.
template <int N, int HOW, int BLOCK, class T>
__device__ __forceinline__ void storeWarp(T* to, const T* from, int element) {
    constexpr int PITCH = N | 1;
    constexpr int AT_ONCE = exchanged(PITCH * (int) sizeof(T), BLOCK);
    if constexpr (AT_ONCE == 0) {
        storeElement<N, false, HOW>(to, from, element, 0);
    } else {
        T* buffer = reinterpret_cast<T*>(warpBuffer<BLOCK>());
        const int lane = threadIdx.x & 31;
        T* first = to + (element - lane) * N;
        for (int round = 0; round < 32; round += AT_ONCE) {
            __syncwarp(0xffffffffu);
            if (lane >= round && lane < round + AT_ONCE) {
#pragma unroll
                for (int c = 0; c < N; c++) {
                    buffer[(lane - round) * PITCH + c] = from[c];
                }
            }
            __syncwarp(0xffffffffu);
#pragma unroll
            for (int k = 0; k < AT_ONCE * N; k += 32) {
                const int i = k + lane;
                if (i < AT_ONCE * N) {
                    put<HOW>(first + round * N + i, buffer[i / N * PITCH + i % N]);
                }
            }
        }
    }
}

// What a target has and elements add to.
template <class T, int N>
struct Sum {
    T values[N];

    __device__ __forceinline__ void add(const T* from) {
#pragma unroll
        for (int c = 0; c < N; c++) {
            values[c] += from[c];
        }
    }

    // Adds what neighbouring threads have, as many as there are of count and at most all, in their order; all of them call it.
    template <int THREADS_>
    __device__ __forceinline__ void addAll(const Sum& part, int count) {
        const unsigned these = (0xffffffffu >> (32 - THREADS_)) << (threadIdx.x & 31 & ~(THREADS_ - 1));
#pragma unroll
        for (int k = 0; k < THREADS_; k++) {
#pragma unroll
            for (int c = 0; c < N; c++) {
                const T other = __shfl_sync(these, part.values[c], k, THREADS_);
                if (k < count) {
                    values[c] += other;
                }
            }
        }
    }
};

// Nothing else touches the element at this time.
template <int N, bool SOA, class T>
__device__ __forceinline__ void addElement(T* to, const T* from, int element, int stride) {
    T sum[N];
    loadElement<N, SOA, 0>(sum, to, element, stride);
#pragma unroll
    for (int c = 0; c < N; c++) {
        sum[c] += from[c];
    }
    storeElement<N, SOA, 0>(to, sum, element, stride);
}

template <int N, bool SOA, class T>
__device__ __forceinline__ void addElementAtomically(T* to, const T* from, int element, int stride) {
#pragma unroll
    for (int c = 0; c < N; c++) {
        atomicAdd(SOA ? to + element + c * stride : to + element * N + c, from[c]);
    }
}

// The distinct targets of a block come into shared memory in their order in memory, and lie there by component: words
// of neighbouring targets are loaded by neighbouring threads.
template <int N, bool SOA, class T>
__device__ __forceinline__ void stageIn(T* shared, int capacity, const T* from, const int* targets, int count,
        int stride) {
    if constexpr (SOA) {
        for (int i = threadIdx.x; i < count; i += THREADS) {
            int target = targets[i];
#pragma unroll
            for (int c = 0; c < N; c++) {
                shared[c * capacity + i] = __ldg(from + target + c * stride);
            }
        }
    } else {
        constexpr int W = Width<T, N>::value;
        constexpr int WORDS = N / W;
        using P = typename Word<T, W>::Type;
        const P* words = reinterpret_cast<const P*>(from);
        for (int k = threadIdx.x; k < count * WORDS; k += THREADS) {
            int i = k / WORDS;
            int part = k % WORDS;
            P word = __ldg(words + targets[i] * WORDS + part);
            const T* parts = reinterpret_cast<const T*>(&word);
#pragma unroll
            for (int w = 0; w < W; w++) {
                shared[(part * W + w) * capacity + i] = parts[w];
            }
        }
    }
}

template <int N, class T>
__device__ __forceinline__ void clearShared(T* shared, int capacity, int count) {
    for (int i = threadIdx.x; i < count; i += THREADS) {
#pragma unroll
        for (int c = 0; c < N; c++) {
            shared[c * capacity + i] = 0;
        }
    }
}

template <int N, class T>
__device__ __forceinline__ void loadShared(T* to, const T* shared, int capacity, int place) {
#pragma unroll
    for (int c = 0; c < N; c++) {
        to[c] = shared[c * capacity + place];
    }
}

template <int N, class T>
__device__ __forceinline__ void addShared(T* shared, const T* from, int capacity, int place) {
#pragma unroll
    for (int c = 0; c < N; c++) {
        shared[c * capacity + place] += from[c];
    }
}

// What a block has accumulated is added to memory once, in the order of memory. FROM_LIST: targets are listed;
// otherwise they are consecutive from `first`.
template <int N, bool SOA, bool ATOMIC, bool FROM_LIST, class T>
__device__ __forceinline__ void stageOut(T* to, const T* shared, int capacity, const int* targets, int first,
        int count, int stride) {
    if constexpr (SOA || ATOMIC) {
        for (int i = threadIdx.x; i < count; i += THREADS) {
            int target = FROM_LIST ? targets[i] : first + i;
            T sum[N];
            loadShared<N>(sum, shared, capacity, i);
            if constexpr (ATOMIC) {
                addElementAtomically<N, SOA>(to, sum, target, stride);
            } else {
                addElement<N, SOA>(to, sum, target, stride);
            }
        }
    } else {
        constexpr int W = Width<T, N>::value;
        constexpr int WORDS = N / W;
        for (int k = threadIdx.x; k < count * WORDS; k += THREADS) {
            int i = k / WORDS;
            int part = k % WORDS;
            int target = FROM_LIST ? targets[i] : first + i;
            T sum[W];
            loadShared<W>(sum, shared + part * W * capacity, capacity, i);
            addElement<W, false>(to, sum, target * WORDS + part, 0);
        }
    }
}

struct Add {
    template <class T> static __device__ __forceinline__ T of(T a, T b) { return a + b; }
};
struct Least {
    template <class T> static __device__ __forceinline__ T of(T a, T b) { return b < a || b != b ? b : a; }
};
struct Greatest {
    template <class T> static __device__ __forceinline__ T of(T a, T b) { return b > a || b != b ? b : a; }
};

// Folds the values of a block's threads in a fixed tree: those of a warp, then those of all warps. The result is thread
// 0's. There is a scratch place for each warp.
template <class OP, class T>
__device__ __forceinline__ T foldBlock(T value, T* scratch) {
    constexpr int WARPS = THREADS / 32;
    const int lane = threadIdx.x & 31;
#pragma unroll
    for (int half = 16; half > 0; half >>= 1) {
        value = OP::of(value, __shfl_xor_sync(0xffffffffu, value, half));
    }
    if constexpr (WARPS > 1) {
        if (lane == 0) scratch[threadIdx.x >> 5] = value;
        __syncthreads();
        if (threadIdx.x < 32) {
            value = scratch[lane < WARPS ? lane : 0];
#pragma unroll
            for (int half = 16; half > 0; half >>= 1) {
                T other = __shfl_xor_sync(0xffffffffu, value, half);
                if ((lane ^ half) < WARPS) value = OP::of(value, other);
            }
        }
        __syncthreads();
    }
    return value;
}

// Folds the partial results of all blocks in a fixed order.
template <class OP, class T>
__device__ __forceinline__ T foldPartials(const T* partials, int blocks, T neutral, T* scratch) {
    T mine = neutral;
#pragma unroll 4
    for (int i = threadIdx.x; i < blocks; i += THREADS) {
        mine = OP::of(mine, __ldcg(partials + i));
    }
    return foldBlock<OP>(mine, scratch);
}

// Says, to all threads of a block, whether it is the last one of the loop to arrive. Its partial results are written by
// thread 0; the last block resets the counter for the next run.
__device__ __forceinline__ bool lastToArrive(unsigned* counter, unsigned blocks) {
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicInc(counter, blocks - 1) == blocks - 1;
        __threadfence();
    }
    __syncthreads();
    return last;
}

// Entries of rows that a kernel reads, as words.
#define TRELLIS_ENTRY(to, from, components, stride) loadEntry<components, stride>(to, from)

template <int N, int STRIDE, class T>
__device__ __forceinline__ void loadEntry(T* to, const T* from) {
    if constexpr (STRIDE == 1) {
        loadElement<N, false, 0>(to, from, 0, 0);
    } else {
#pragma unroll
        for (int c = 0; c < N; c++) {
            to[c] = from[c * STRIDE];
        }
    }
}

// Rasters: values in memory, N for each point, those of the kernel's raster and then zeros; or in a texture.
template <class T, int N>
struct RasterValues {
    const T* values;
    int columns, rows, layers;
    T place[6];
};

template <class T>
struct RasterTexture {
    unsigned long long object;
    T place[6];
};

template <int C, class T>
__device__ __forceinline__ T rasterValue(const T* point) {
    constexpr int W = 16 / (int) sizeof(T);
    using P = typename Word<T, W>::Type;
    P word = fetch<1>(reinterpret_cast<const P*>(point) + C / W);
    return reinterpret_cast<const T*>(&word)[C % W];
}

// The point before a place along an axis, and how far the place is from there to the next.
template <class T>
__device__ __forceinline__ T rasterShare(T place, int points, int& cell) {
    T share = place > 0 ? place : 0;
    share = share < (T) (points - 1) ? share : (T) (points - 1);
    cell = min((int) share, points - 2);
    return share - (T) cell;
}

template <int C, class T, int N>
__device__ __forceinline__ T rasterWithin(const RasterValues<T, N>& raster, const T* below, T s, T t) {
    const T* above = below + (long long) raster.columns * N;
    const T first = rasterValue<C>(below) + s * (rasterValue<C>(below + N) - rasterValue<C>(below));
    const T second = rasterValue<C>(above) + s * (rasterValue<C>(above + N) - rasterValue<C>(above));
    return first + t * (second - first);
}

template <int C, class T, int N>
__device__ __forceinline__ T linear(const RasterValues<T, N>& raster, T x, T y) {
    int i, j;
    const T s = rasterShare((x - raster.place[0]) * raster.place[2], raster.columns, i);
    const T t = rasterShare((y - raster.place[1]) * raster.place[3], raster.rows, j);
    return rasterWithin<C>(raster, raster.values + ((long long) j * raster.columns + i) * N, s, t);
}

// In space; where there is one layer, the third coordinate does not count.
template <int C, class T, int N>
__device__ __forceinline__ T linear(const RasterValues<T, N>& raster, T x, T y, T z) {
    if (raster.layers == 1) {
        return linear<C>(raster, x, y);
    }
    int i, j, k;
    const T s = rasterShare((x - raster.place[0]) * raster.place[2], raster.columns, i);
    const T t = rasterShare((y - raster.place[1]) * raster.place[3], raster.rows, j);
    const T u = rasterShare((z - raster.place[4]) * raster.place[5], raster.layers, k);
    const T* below = raster.values + (((long long) k * raster.rows + j) * raster.columns + i) * N;
    const T lower = rasterWithin<C>(raster, below, s, t);
    const T upper = rasterWithin<C>(raster, below + (long long) raster.rows * raster.columns * N, s, t);
    return lower + u * (upper - lower);
}

template <int C, class T>
__device__ __forceinline__ T linear(const RasterTexture<T>& raster, T x, T y) {
    const float4 found = tex2D<float4>(raster.object, (float) ((x - raster.place[0]) * raster.place[2]) + 0.5f,
            (float) ((y - raster.place[1]) * raster.place[3]) + 0.5f);
    return C == 0 ? found.x : C == 1 ? found.y : C == 2 ? found.z : found.w;
}

template <int C, class T>
__device__ __forceinline__ T linear(const RasterTexture<T>& raster, T x, T y, T z) {
    return linear<C>(raster, x, y);
}

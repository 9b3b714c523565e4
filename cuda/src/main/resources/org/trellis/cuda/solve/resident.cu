// Conjugate gradients in one kernel, whose blocks are resident together: the vectors stay in registers, each thread has
// its rows, and what blocks have to know of each other passes through memory at two barriers an iteration. It is the
// variant of Chronopoulos and Gear (J. Comput. Appl. Math. 25, 1989), in which only u = D r is read across rows and the
// product with the direction is recurred: s = A p = w + beta s with w = A u.
//
// A block keeps its part of the matrix in shared memory.
//
// REAL: float or double. THREADS: of a block, a multiple of 32. ROWS: rows of a thread. DIAGONAL: 1 if there is a
// diagonal preconditioner.

struct Arguments {
    // The matrix in chunks of 32 rows, the entries of a chunk side by side; where each chunk begins, and the end.
    const int* chunkOffsets;
    const int* columns;
    const REAL* values;
    const REAL* inverse;
    REAL* r;
    REAL* p;
    REAL* s;
    REAL* x;
    REAL* u;
    // For each block a record of 64 bytes: three sums as words with the number of the barrier that they belong to.
    unsigned long long* records;
    // The gamma and alpha of the last iteration, for a launch that goes on.
    double* carried;
    // For each iteration rho, sigma and the square of the residual's norm after it.
    double* recorded;
    int* done;
    double limit;
    double factor;
    double matrixScale;
    int rows;
    int chunksPerBlock;
    int chunks;
    int most;
    int anew;
};

constexpr int WARPS = THREADS / 32;
// Words of a record, and those of the first barrier.
constexpr int RECORD = 8;
constexpr int FIRST_BARRIER = 4;

// Half a number and the number of the barrier that it belongs to: a reader of a word knows whether it is there yet, so
// that a sum needs no flag beside it.
__device__ __forceinline__ unsigned long long word(unsigned half, unsigned number) {
    return ((unsigned long long) number << 32) | half;
}

#ifdef EMULATED
inline void put(unsigned long long* to, unsigned long long low, unsigned long long high) { to[0] = low; to[1] = high; }
inline void get(const unsigned long long* from, unsigned long long& low, unsigned long long& high) {
    low = from[0];
    high = from[1];
}
#else
__device__ __forceinline__ void put(unsigned long long* to, unsigned long long low, unsigned long long high) {
    asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" : : "l"(to), "l"(low), "l"(high) : "memory");
}

__device__ __forceinline__ void get(const unsigned long long* from, unsigned long long& low,
        unsigned long long& high) {
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];" : "=l"(low), "=l"(high) : "l"(from) : "memory");
}
#endif

__device__ __forceinline__ void putNumber(unsigned long long* to, double value, unsigned number) {
    const unsigned long long bits = (unsigned long long) __double_as_longlong(value);
    put(to, word((unsigned) bits, number), word((unsigned) (bits >> 32), number));
}

// Waits for a number.
__device__ __forceinline__ double getNumber(const unsigned long long* from, unsigned number) {
    unsigned long long low;
    unsigned long long high;
    do {
        get(from, low, high);
    } while ((unsigned) (low >> 32) != number || (unsigned) (high >> 32) != number);
    return __longlong_as_double((long long) ((low & 0xffffffffull) | (high << 32)));
}

__device__ __forceinline__ double foldWarp(double value) {
#pragma unroll
    for (int half = 16; half > 0; half >>= 1) {
        value += __shfl_xor_sync(0xffffffffu, value, half);
    }
    return value;
}

// A barrier across the grid that also sums COUNT values of all threads, in an order that does not depend on time: those
// of a warp, of a block's warps, of all blocks. With more than one value, what any thread has written before is there for
// all afterwards, if they read it past the first-level cache; with one, only the value is sent.
template <int COUNT>
__device__ __forceinline__ void exchange(double (&values)[COUNT], unsigned long long* records, unsigned number,
        double (*ofWarps)[2], double (*ofBlocks)[2]) {
    const int lane = threadIdx.x & 31;
    const int blocks = (int) gridDim.x;
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        values[i] = foldWarp(values[i]);
        if (lane == 0) ofWarps[threadIdx.x >> 5][i] = values[i];
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        double sums[COUNT];
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            sums[i] = foldWarp(lane < WARPS ? ofWarps[lane][i] : 0.0);
        }
        if (lane == 0) {
            if (COUNT > 1) __threadfence();
#pragma unroll
            for (int i = 0; i < COUNT; i++) {
                putNumber(records + (long long) blockIdx.x * RECORD + 2 * i, sums[i], number);
            }
        }
    }
    for (int other = threadIdx.x; other < blocks; other += THREADS) {
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            ofBlocks[other][i] = getNumber(records + (long long) other * RECORD + 2 * i, number);
        }
    }
    if (COUNT > 1 && threadIdx.x < blocks) __threadfence();
    __syncthreads();
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        double sum = 0;
        for (int other = lane; other < blocks; other += 32) {
            sum += ofBlocks[other][i];
        }
        values[i] = foldWarp(sum);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) trellisResidentCg(const __grid_constant__ Arguments a) {
    extern __shared__ __align__(16) unsigned char pool[];
    __shared__ double ofWarps[2][WARPS][2];
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
    const int firstChunk = blockIdx.x * a.chunksPerBlock;
    const int endChunk = min(firstChunk + a.chunksPerBlock, a.chunks);
    // Sums of all blocks, for each of the two barriers, come first in the pool.
    double(*ofBlocks)[2] = reinterpret_cast<double(*)[2]>(pool);
    double(*ofBlocksB)[2] = ofBlocks + gridDim.x;
    const int firstEntry = firstChunk < endChunk ? a.chunkOffsets[firstChunk] : 0;
    const int entries = firstChunk < endChunk ? a.chunkOffsets[endChunk] - firstEntry : 0;
    REAL* values = reinterpret_cast<REAL*>(ofBlocksB + gridDim.x);
    int* columns = reinterpret_cast<int*>(values + entries);
    for (int i = threadIdx.x; i < entries; i += THREADS) {
        values[i] = a.values[firstEntry + i];
        columns[i] = a.columns[firstEntry + i];
    }
    __syncthreads();
    REAL r[ROWS], p[ROWS], s[ROWS], x[ROWS], w[ROWS], u[ROWS];
#if DIAGONAL
    REAL d[ROWS];
#endif
    int start[ROWS], width[ROWS];
    // gamma and the square of the residual's norm.
    double sums[2] = {0, 0};
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
        const int chunk = firstChunk + k * WARPS + warp;
        const int row = chunk * 32 + lane;
        const bool mine = chunk < endChunk && row < a.rows;
        start[k] = chunk < endChunk ? a.chunkOffsets[chunk] - firstEntry + lane : 0;
        width[k] = chunk < endChunk ? (a.chunkOffsets[chunk + 1] - a.chunkOffsets[chunk]) / 32 : 0;
        r[k] = mine ? a.r[row] : (REAL) 0;
        x[k] = mine ? a.x[row] : (REAL) 0;
        p[k] = mine && !a.anew ? a.p[row] : (REAL) 0;
        s[k] = mine && !a.anew ? a.s[row] : (REAL) 0;
        w[k] = 0;
#if DIAGONAL
        d[k] = mine ? a.inverse[row] : (REAL) 0;
        u[k] = d[k] * r[k];
#else
        u[k] = r[k];
#endif
        if (mine) __stcg(a.u + row, u[k]);
        sums[0] += (double) r[k] * (double) u[k];
        sums[1] += (double) r[k] * (double) r[k];
    }
    double lastGamma = a.anew ? 0 : a.carried[0];
    double lastAlpha = a.anew ? 0 : a.carried[1];
    bool first = a.anew;
    const bool speaks = blockIdx.x == 0 && threadIdx.x == 0;
    unsigned number = 0;
    int done = 0;
    while (true) {
        exchange<2>(sums, a.records, ++number, ofWarps[0], ofBlocks);
        const double gamma = sums[0];
        const double square = sums[1];
        if (speaks && done > 0) a.recorded[3 * (done - 1) + 2] = square;
        if (!(square > a.limit) || done == a.most) break;
        if (!(gamma > 0)) {
            if (speaks) {
                a.recorded[3 * done] = gamma;
                a.recorded[3 * done + 1] = 0;
                a.recorded[3 * done + 2] = square;
            }
            done++;
            break;
        }
        double products[1] = {0};
#pragma unroll
        for (int k = 0; k < ROWS; k++) {
            REAL sum = 0;
            int at = start[k];
#pragma unroll 4
            for (int entry = 0; entry < width[k]; entry++, at += 32) {
                sum += values[at] * __ldcg(a.u + columns[at]);
            }
            w[k] = (REAL) a.matrixScale * sum;
            products[0] += (double) w[k] * (double) u[k];
        }
        exchange<1>(products, a.records + FIRST_BARRIER, ++number, ofWarps[1], ofBlocksB);
        const double delta = products[0];
        const double beta = first ? 0 : gamma / lastGamma;
        const double sigma = first ? delta : delta - beta * gamma / lastAlpha;
        if (speaks) {
            a.recorded[3 * done] = gamma;
            a.recorded[3 * done + 1] = sigma;
            a.recorded[3 * done + 2] = square;
        }
        done++;
        if (!(sigma > 0)) break;
        const double alpha = gamma / sigma;
        const REAL stepOfX = (REAL) (a.factor * alpha);
        const REAL stepOfR = (REAL) alpha;
        lastGamma = gamma;
        lastAlpha = alpha;
        first = false;
        sums[0] = 0;
        sums[1] = 0;
#pragma unroll
        for (int k = 0; k < ROWS; k++) {
            const int chunk = firstChunk + k * WARPS + warp;
            const int row = chunk * 32 + lane;
            p[k] = u[k] + (REAL) beta * p[k];
            s[k] = w[k] + (REAL) beta * s[k];
            x[k] += stepOfX * p[k];
            r[k] -= stepOfR * s[k];
#if DIAGONAL
            u[k] = d[k] * r[k];
#else
            u[k] = r[k];
#endif
            if (chunk < endChunk && row < a.rows) __stcg(a.u + row, u[k]);
            sums[0] += (double) r[k] * (double) u[k];
            sums[1] += (double) r[k] * (double) r[k];
        }
    }
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
        const int chunk = firstChunk + k * WARPS + warp;
        const int row = chunk * 32 + lane;
        if (chunk < endChunk && row < a.rows) {
            a.r[row] = r[k];
            a.p[row] = p[k];
            a.s[row] = s[k];
            a.x[row] = x[k];
        }
    }
    if (speaks) {
        a.carried[0] = lastGamma;
        a.carried[1] = lastAlpha;
        *a.done = done;
    }
}

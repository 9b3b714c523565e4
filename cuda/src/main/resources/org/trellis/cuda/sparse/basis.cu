// Products of pairs of vectors, and combinations of vectors, each in one pass over all vectors.
//
// REAL: the type of the elements. THREADS: threads of a block, a power of two. PAIRS: the most pairs.

#define VECTORS 72
#define TARGETS 3
// Rows that a block has in shared memory at a time. Rows of two vectors begin in different banks.
#define TILE 64
#define PITCH (TILE + 1)
#define PAIRS_OF_THREAD (PAIRS / THREADS)

struct Products {
    const REAL* vectors[VECTORS];
    // A sum for each pair and block.
    double* partial;
    double* result;
    // Counts the blocks that are done; 0 before and after.
    unsigned* counter;
    int count;
    // The vector of weights, or less than 0.
    int weights;
    int pairs;
    // Threads that share a pair, a power of two; more than 1 only if all pairs have threads of their own.
    int sharing;
    int rows;
    int unused;
    unsigned char left[PAIRS];
    unsigned char right[PAIRS];
};

struct Combination {
    const REAL* vectors[VECTORS];
    double coefficients[TARGETS][VECTORS];
    REAL* targets[TARGETS];
    double keep[TARGETS];
    int count;
    int number;
    int rows;
    int unused;
};

extern "C" __global__ void __launch_bounds__(THREADS) trellisBasisProducts(const __grid_constant__ Products a) {
    extern __shared__ __align__(16) unsigned char pool[];
    __shared__ double ofThreads[THREADS];
    __shared__ bool last;
    REAL* const tile = (REAL*) pool;
    double sums[PAIRS_OF_THREAD];
    for (int k = 0; k < PAIRS_OF_THREAD; k++) {
        sums[k] = 0;
    }
    const int share = threadIdx.x & (a.sharing - 1);
    const int firstPair = threadIdx.x / a.sharing;
    for (long long first = (long long) blockIdx.x * TILE; first < a.rows; first += (long long) gridDim.x * TILE) {
        for (int i = threadIdx.x; i < a.count * TILE; i += THREADS) {
            const int vector = i / TILE;
            const int row = i - vector * TILE;
            tile[vector * PITCH + row] = first + row < a.rows ? a.vectors[vector][first + row] : REAL(0);
        }
        __syncthreads();
        for (int k = 0; k < PAIRS_OF_THREAD; k++) {
            const int pair = firstPair + k * THREADS;
            if (pair < a.pairs) {
                const REAL* const x = tile + a.left[pair] * PITCH;
                const REAL* const y = tile + a.right[pair] * PITCH;
                const REAL* const w = a.weights < 0 ? nullptr : tile + a.weights * PITCH;
                for (int row = share; row < TILE; row += a.sharing) {
                    const double product = (double) x[row] * (double) y[row];
                    sums[k] += w == nullptr ? product : (double) w[row] * product;
                }
            }
        }
        __syncthreads();
    }
    for (int k = 0; k < PAIRS_OF_THREAD; k++) {
        const int pair = firstPair + k * THREADS;
        ofThreads[threadIdx.x] = sums[k];
        __syncthreads();
        if (share == 0 && pair < a.pairs) {
            double sum = 0;
            for (int i = 0; i < a.sharing; i++) {
                sum += ofThreads[threadIdx.x + i];
            }
            a.partial[(long long) pair * gridDim.x + blockIdx.x] = sum;
        }
        __syncthreads();
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicInc(a.counter, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        for (int pair = threadIdx.x; pair < a.pairs; pair += THREADS) {
            double sum = 0;
            for (unsigned block = 0; block < gridDim.x; block++) {
                sum += __ldcg(a.partial + (long long) pair * gridDim.x + block);
            }
            a.result[pair] = sum;
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) trellisBasisCombine(const __grid_constant__ Combination a) {
    for (long long row = (long long) blockIdx.x * THREADS + threadIdx.x; row < a.rows;
            row += (long long) gridDim.x * THREADS) {
        double sums[TARGETS] = {0, 0, 0};
        for (int j = 0; j < a.count; j++) {
            const double element = a.vectors[j][row];
            for (int k = 0; k < TARGETS; k++) {
                sums[k] += a.coefficients[k][j] * element;
            }
        }
        for (int k = 0; k < TARGETS; k++) {
            if (k < a.number) {
                a.targets[k][row] = (REAL) (a.keep[k] == 0 ? sums[k] : a.keep[k] * a.targets[k][row] + sums[k]);
            }
        }
    }
}

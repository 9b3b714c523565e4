// The spectral radius by Lanczos' method, for multigrid by aggregation. The order of all sums is that of the set-up on
// the host.
#include "arguments.cuh"

#define CHUNK 1024
#define SLAB (8 * THREADS)
#define BATCH 4

// Numbers from -1 to 1 as java.util.SplittableRandom draws them; size is the seed, and first
// vectors were drawn before.
extern "C" __global__ void __launch_bounds__(THREADS) randomVector(const __grid_constant__ Arguments a) {
    const int i = item();
    if (i < a.rows) {
        unsigned long long z = (unsigned long long) a.size
                + 0x9E3779B97F4A7C15ULL * ((unsigned long long) i + 1 + (unsigned long long) a.first * a.rows);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        z = z ^ (z >> 31);
        const double unit = (double) (z >> 11) * 1.1102230246251565e-16;
        a.x[i] = unit * 2.0 + -1.0;
    }
}

// Adds the THREADS numbers of a block by halves; each is the sum of every THREADS-th number of a chunk.
__device__ __forceinline__ double chunkSum(double own) {
    __shared__ double sums[THREADS];
    sums[threadIdx.x] = own;
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            sums[threadIdx.x] += sums[threadIdx.x + half];
        }
        __syncthreads();
    }
    return sums[0];
}

// The terms of entries from slab on, by all threads in the order of memory. Each thread has BATCH entries under way, since
// loads after a store to shared memory would wait for it.
__device__ __forceinline__ void formTerms(const Arguments& a, int slab, int end, double* terms) {
    for (int k = slab + threadIdx.x; k < end; k += BATCH * THREADS) {
        double term[BATCH];
        int column[BATCH];
#pragma unroll
        for (int u = 0; u < BATCH; u++) {
            const bool inside = k + u * THREADS < end;
            column[u] = inside ? a.a.columns[k + u * THREADS] : 0;
            term[u] = inside ? (double) a.a.values[k + u * THREADS] : 0.0;
        }
#pragma unroll
        for (int u = 0; u < BATCH; u++) {
            term[u] *= a.x[column[u]];
        }
#pragma unroll
        for (int u = 0; u < BATCH; u++) {
            if (k + u * THREADS < end) {
                terms[k + u * THREADS - slab] = term[u];
            }
        }
    }
}

// The sum of a row of a block's rows, base to end, at most THREADS of them: terms are formed by all threads in the order of
// memory, and added up by each row's own.
__device__ __forceinline__ double rowSum(const Arguments& a, int base, int end, double* terms) {
    const int row = base + threadIdx.x;
    const int start = row < end ? a.a.offsets[row] : 0;
    const int stop = row < end ? a.a.offsets[row + 1] : 0;
    const int to = a.a.offsets[end];
    double sum = 0;
    for (int slab = a.a.offsets[base]; slab < to; slab += SLAB) {
        formTerms(a, slab, min(to, slab + SLAB), terms);
        __syncthreads();
        for (int k = max(start, slab); k < stop && k < slab + SLAB; k++) {
            sum += terms[k - slab];
        }
        __syncthreads();
    }
    return sum;
}

__device__ __forceinline__ double scaled(const Arguments& a, int row, double sum) {
    const double element = ((const double*) a.others)[row] * sum;
    return a.scalars == nullptr ? element : element / a.scalars[a.first];
}

// One step's first half: y = S A (S v) / |v| and the sums of v y of each chunk, a block a chunk. x is S v, z is v, values
// of the scale are in scalars' place: others points to S, keys to the sums of chunks. scalars[first] is |v|.
extern "C" __global__ void __launch_bounds__(THREADS) lanczosProduct(const __grid_constant__ Arguments a) {
    __shared__ double terms[SLAB];
    double* const sums = (double*) a.keys;
    const int end = min(a.rows, (int) (blockIdx.x + 1) * CHUNK);
    double own = 0;
    for (int base = blockIdx.x * CHUNK; base < end; base += THREADS) {
        const int row = base + threadIdx.x;
        const double sum = rowSum(a, base, min(base + THREADS, end), terms);
        if (row < end) {
            const double element = scaled(a, row, sum);
            a.y[row] = element;
            own += a.z[row] * element;
        }
    }
    const double total = chunkSum(own);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = a.scalars == nullptr ? total : total / a.scalars[a.first];
    }
}

// The same without sums, last rows a block, for matrices of so few chunks that a block for each leaves most of the device
// idle.
extern "C" __global__ void __launch_bounds__(THREADS) lanczosRows(const __grid_constant__ Arguments a) {
    __shared__ double terms[SLAB];
    const int base = blockIdx.x * a.last;
    const int row = base + threadIdx.x;
    const int end = min(a.rows, base + a.last);
    const double sum = rowSum(a, base, end, terms);
    if (row < end) {
        a.y[row] = scaled(a, row, sum);
    }
}

// The second half: takes multiples of v (z) and of the one before (vector's place: others) from y, and x = S y; keys gets
// the sums of squares of chunks. scalars: [first] |v|, [first - 1] that of the one before, [last] the product.
extern "C" __global__ void __launch_bounds__(THREADS) lanczosOrthogonalise(const __grid_constant__ Arguments a) {
    const double* const before = (const double*) a.others;
    const double* const scale = (const double*) a.counts;
    double* const sums = (double*) a.keys;
    const double along = a.scalars[a.last] / a.scalars[a.first];
    const double alongBefore = a.size == 0 ? 0.0 : a.scalars[a.first] / a.scalars[a.first - 1];
    const int end = min(a.rows, (int) (blockIdx.x + 1) * CHUNK);
    double own = 0;
    for (int row = blockIdx.x * CHUNK + threadIdx.x; row < end; row += THREADS) {
        const double element = a.y[row] - (along * a.z[row] + alongBefore * before[row]);
        a.y[row] = element;
        a.x[row] = scale[row] * element;
        own += element * element;
    }
    const double total = chunkSum(own);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = total;
    }
}

// y = S x, and the sums of the products of x with z of each chunk, over scalars[first] if there are scalars.
extern "C" __global__ void __launch_bounds__(THREADS) scaleAndDot(const __grid_constant__ Arguments a) {
    const double* const scale = (const double*) a.others;
    double* const sums = (double*) a.keys;
    const int end = min(a.rows, (int) (blockIdx.x + 1) * CHUNK);
    double own = 0;
    for (int row = blockIdx.x * CHUNK + threadIdx.x; row < end; row += THREADS) {
        if (scale != nullptr) {
            a.y[row] = scale[row] * a.x[row];
        }
        own += a.x[row] * a.z[row];
    }
    const double total = chunkSum(own);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = a.scalars == nullptr ? total : total / a.scalars[a.first];
    }
}

// Divides x by alpha.
extern "C" __global__ void __launch_bounds__(THREADS) divideVector(const __grid_constant__ Arguments a) {
    const int i = item();
    if (i < a.rows) {
        a.x[i] /= a.alpha;
    }
}

// Adds the sums of size chunks (keys) one after the other into scalars[first], the root of it if last is 1. One block.
extern "C" __global__ void __launch_bounds__(THREADS) addChunks(const __grid_constant__ Arguments a) {
    __shared__ double tile[THREADS];
    const double* const sums = (const double*) a.keys;
    double total = 0;
    for (int base = 0; base < a.size; base += THREADS) {
        const int at = base + threadIdx.x;
        tile[threadIdx.x] = at < a.size ? sums[at] : 0.0;
        __syncthreads();
        if (threadIdx.x == 0) {
            // Beyond the last sum there are zeros, which change nothing.
            const int count = min(THREADS, (a.size - base + 7) / 8 * 8);
            for (int k = 0; k < count; k += 8) {
                double next[8];
#pragma unroll
                for (int u = 0; u < 8; u++) {
                    next[u] = tile[k + u];
                }
#pragma unroll
                for (int u = 0; u < 8; u++) {
                    total += next[u];
                }
            }
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        a.scalars[a.first] = a.last == 1 ? sqrt(total) : total;
    }
}

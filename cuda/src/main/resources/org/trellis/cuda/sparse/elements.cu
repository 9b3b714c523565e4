/*
 * Updates element by element and dot products. REAL is the element type, THREADS the block size (a power of two). No
 * alignment is needed beyond that of an element, so parts of vectors will do. Arithmetic is in double precision and
 * rounded once.
 */

__device__ __forceinline__ unsigned stride() {
    return gridDim.x * THREADS;
}

/* y = alpha d x + beta y; d may be null, and x may be y. */
extern "C" __global__ __launch_bounds__(THREADS) void trellisUpdate(double alpha, const REAL* d, const REAL* x,
                                                                   double beta, REAL* y, int n) {
    for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += stride()) {
        double term = d == nullptr ? alpha * x[i] : alpha * ((double) d[i] * x[i]);
        y[i] = (REAL) (beta == 0 ? term : term + beta * y[i]);
    }
}

/* Sums a value of each thread of the block in a fixed order; thread 0 has the sum. */
__device__ double blockSum(double value) {
    __shared__ double sums[THREADS];
    sums[threadIdx.x] = value;
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            sums[threadIdx.x] += sums[threadIdx.x + half];
        }
        __syncthreads();
    }
    return sums[0];
}

/* result = x . y; the block that comes last adds up the blocks in their order. The counter is 0 before and after. */
extern "C" __global__ __launch_bounds__(THREADS) void trellisDotTo(const REAL* x, const REAL* y, int n,
                                                                  double* partialSums, unsigned* counter,
                                                                  double* result) {
    double sum = 0;
    for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += stride()) {
        sum += (double) x[i] * (double) y[i];
    }
    const double blockTotal = blockSum(sum);
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partialSums[blockIdx.x] = blockTotal;
        __threadfence();
        last = atomicInc(counter, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        double total = 0;
        for (unsigned i = threadIdx.x; i < gridDim.x; i += THREADS) {
            total += __ldcg(&partialSums[i]);
        }
        total = blockSum(total);
        if (threadIdx.x == 0) {
            *result = total;
        }
    }
}

/* Sorts values into the order of a layout; source[i] < 0 means padding. */
extern "C" __global__ __launch_bounds__(THREADS) void trellisRefill(const REAL* __restrict__ values,
                                                                   const int* __restrict__ source,
                                                                   REAL* __restrict__ target, int n) {
    for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += stride()) {
        int from = source[i];
        target[i] = from < 0 ? REAL(0) : values[from];
    }
}

#ifdef OTHER
/* y = x, rounded to another precision. */
extern "C" __global__ __launch_bounds__(THREADS) void trellisConvert(const OTHER* __restrict__ x,
                                                                    REAL* __restrict__ y, int n) {
    for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += stride()) {
        y[i] = (REAL) x[i];
    }
}
#endif

// Vector operations. REAL is the element type, WIDTH the elements that a thread loads at once, THREADS the block size
// (a power of two). Vectors start at multiples of as many bytes as WIDTH elements have. Arithmetic is in double precision
// and rounded once.

struct alignas(WIDTH * sizeof(REAL)) Wide {
    REAL element[WIDTH];
};

__device__ __forceinline__ unsigned firstItem() {
    return blockIdx.x * THREADS + threadIdx.x;
}

__device__ __forceinline__ unsigned stride() {
    return gridDim.x * THREADS;
}

extern "C" __global__ __launch_bounds__(THREADS) void trellisAxpy(double alpha, const REAL* __restrict__ x,
                                                                 REAL* __restrict__ y, int n) {
    const unsigned wide = n / WIDTH;
    for (unsigned i = firstItem(); i < wide; i += stride()) {
        const Wide a = reinterpret_cast<const Wide*>(x)[i];
        Wide b = reinterpret_cast<const Wide*>(y)[i];
#pragma unroll
        for (int k = 0; k < WIDTH; k++) {
            b.element[k] = (REAL)(alpha * a.element[k] + b.element[k]);
        }
        reinterpret_cast<Wide*>(y)[i] = b;
    }
    const unsigned rest = wide * WIDTH + firstItem();
    if (rest < n) {
        y[rest] = (REAL)(alpha * x[rest] + y[rest]);
    }
}

extern "C" __global__ __launch_bounds__(THREADS) void trellisXpby(const REAL* __restrict__ x, double beta,
                                                                 REAL* __restrict__ y, int n) {
    const unsigned wide = n / WIDTH;
    const bool copy = beta == 0; // the old y may be anything, NaN included
    for (unsigned i = firstItem(); i < wide; i += stride()) {
        Wide a = reinterpret_cast<const Wide*>(x)[i];
        if (!copy) {
            const Wide b = reinterpret_cast<const Wide*>(y)[i];
#pragma unroll
            for (int k = 0; k < WIDTH; k++) {
                a.element[k] = (REAL)(a.element[k] + beta * b.element[k]);
            }
        }
        reinterpret_cast<Wide*>(y)[i] = a;
    }
    const unsigned rest = wide * WIDTH + firstItem();
    if (rest < n) {
        y[rest] = copy ? x[rest] : (REAL)(x[rest] + beta * y[rest]);
    }
}

extern "C" __global__ __launch_bounds__(THREADS) void trellisMultiply(const REAL* x, const REAL* y, REAL* z, int n) {
    const unsigned wide = n / WIDTH;
    for (unsigned i = firstItem(); i < wide; i += stride()) {
        Wide a = reinterpret_cast<const Wide*>(x)[i];
        const Wide b = reinterpret_cast<const Wide*>(y)[i];
#pragma unroll
        for (int k = 0; k < WIDTH; k++) {
            a.element[k] *= b.element[k];
        }
        reinterpret_cast<Wide*>(z)[i] = a;
    }
    const unsigned rest = wide * WIDTH + firstItem();
    if (rest < n) {
        z[rest] = x[rest] * y[rest];
    }
}

// Sums a value of each thread of the block in a fixed order; thread 0 has the sum.
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

// Adds up what the threads of all blocks have, in a fixed order. The result goes to page-locked host memory; the host
// reads it once the stream is done. The counter is 0 before the launch and 0 after it.
__device__ void finishSum(double sum, double* partialSums, unsigned* counter, double* result) {
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

extern "C" __global__ __launch_bounds__(THREADS) void trellisDot(const REAL* x, const REAL* y, int n,
                                                                double* partialSums, unsigned* counter,
                                                                double* result) {
    const unsigned wide = n / WIDTH;
    double sum = 0;
    for (unsigned i = firstItem(); i < wide; i += stride()) {
        const Wide a = reinterpret_cast<const Wide*>(x)[i];
        const Wide b = reinterpret_cast<const Wide*>(y)[i];
#pragma unroll
        for (int k = 0; k < WIDTH; k++) {
            sum += (double)a.element[k] * (double)b.element[k];
        }
    }
    const unsigned rest = wide * WIDTH + firstItem();
    if (rest < n) {
        sum += (double)x[rest] * (double)y[rest];
    }
    finishSum(sum, partialSums, counter, result);
}

// The sum of (s x)^2.
extern "C" __global__ __launch_bounds__(THREADS) void trellisSquares(const REAL* x, double s, int n,
                                                                    double* partialSums, unsigned* counter,
                                                                    double* result) {
    const unsigned wide = n / WIDTH;
    double sum = 0;
    for (unsigned i = firstItem(); i < wide; i += stride()) {
        const Wide a = reinterpret_cast<const Wide*>(x)[i];
#pragma unroll
        for (int k = 0; k < WIDTH; k++) {
            const double scaled = s * (double)a.element[k];
            sum += scaled * scaled;
        }
    }
    const unsigned rest = wide * WIDTH + firstItem();
    if (rest < n) {
        const double scaled = s * (double)x[rest];
        sum += scaled * scaled;
    }
    finishSum(sum, partialSums, counter, result);
}

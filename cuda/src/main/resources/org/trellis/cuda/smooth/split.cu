/*
 * The sweeps of Eisenstat's product. REAL is the element type, THREADS the block size. Vectors are in the order of the
 * sweeps; rows are stored in chunks of 32 slots, a warp's, whose entries lie side by side: entry k of slot s of a chunk is
 * at its start + 32 k + s. A stage begins with a chunk of its own; a column below 0 ends a row. Wide stages are launches
 * of their own, narrow ones in a row one launch of one block. Arithmetic is in double precision and rounded once.
 */

#define CHUNK 32

/* A triangle: where chunks begin, and for each stage its first slot and row. */
struct Triangle {
    const int* chunkOffsets;
    const int* columns;
    const REAL* values;
    const int* slots;
    const int* rows;
};

/* Goes through the slots of stages from..to, or back, and synchronises the one block between stages. */
template <class WORK>
__device__ __forceinline__ void visit(const Triangle& t, int from, int to, bool backward, WORK work) {
    for (int i = from; i < to; i++) {
        const int stage = backward ? to - 1 - (i - from) : i;
        const int first = t.slots[stage];
        const int row = t.rows[stage];
        const int count = t.rows[stage + 1] - row;
        for (long long k = (long long) blockIdx.x * THREADS + threadIdx.x; k < count;
                k += (long long) gridDim.x * THREADS) {
            work(first + (int) k, row + (int) k);
        }
        if (i + 1 < to) __syncthreads();
    }
}

/* r = (I + L)^-1 r. */
extern "C" __global__ __launch_bounds__(THREADS) void trellisSplitResidual(
        const int* chunkOffsets, const int* columns, const REAL* values, const int* slots, const int* rows, int from,
        int to, REAL* r) {
    const Triangle t = {chunkOffsets, columns, values, slots, rows};
    visit(t, from, to, false, [&](int slot, int row) {
        double sum = r[row];
        const int end = chunkOffsets[slot / CHUNK + 1];
        for (int at = chunkOffsets[slot / CHUNK] + slot % CHUNK; at < end && columns[at] >= 0; at += CHUNK) {
            sum -= (double) values[at] * (double) r[columns[at]];
        }
        r[row] = (REAL) sum;
    });
}

/* hat = r + beta hat and p = (I + U)^-1 hat, with beta = scalars[next] / scalars[last], or 0 for a last below 0. */
extern "C" __global__ __launch_bounds__(THREADS) void trellisSplitBackward(
        const int* chunkOffsets, const int* columns, const REAL* values, const int* slots, const int* rows, int from,
        int to, const double* scalars, int next, int last, const REAL* __restrict__ r, REAL* hat, REAL* p) {
    const Triangle t = {chunkOffsets, columns, values, slots, rows};
    const double beta = last < 0 ? 0.0 : scalars[next] / scalars[last];
    visit(t, from, to, true, [&](int slot, int row) {
        const REAL mine = (REAL) ((double) r[row] + (beta == 0 ? 0.0 : beta * (double) hat[row]));
        hat[row] = mine;
        double sum = mine;
        const int end = chunkOffsets[slot / CHUNK + 1];
        for (int at = chunkOffsets[slot / CHUNK] + slot % CHUNK; at < end && columns[at] >= 0; at += CHUNK) {
            sum -= (double) values[at] * (double) p[columns[at]];
        }
        p[row] = (REAL) sum;
    });
}

__device__ __forceinline__ void foldBlock(double& a, double& b, double (*scratch)[2]) {
#pragma unroll
    for (int half = 16; half > 0; half >>= 1) {
        a += __shfl_xor_sync(0xffffffffu, a, half);
        b += __shfl_xor_sync(0xffffffffu, b, half);
    }
    if ((threadIdx.x & 31) == 0) {
        scratch[threadIdx.x >> 5][0] = a;
        scratch[threadIdx.x >> 5][1] = b;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        a = scratch[0][0];
        b = scratch[0][1];
        for (int warp = 1; warp < THREADS / 32; warp++) {
            a += scratch[warp][0];
            b += scratch[warp][1];
        }
    }
    __syncthreads();
}

/*
 * y = (I + L)^-1 (hat + K p), and parts of sigma = hat (p + y) and of the square of W (I + L) r: two for each block, from
 * place `base` on. The launch of the last stages, which knows how many parts there are, adds them up in their order.
 */
extern "C" __global__ __launch_bounds__(THREADS) void trellisSplitForward(
        const int* chunkOffsets, const int* columns, const REAL* values, const int* slots, const int* rows, int from,
        int to, const REAL* middle, double centre, const REAL* weights, double weight, const REAL* __restrict__ hat,
        const REAL* __restrict__ p, const REAL* __restrict__ r, REAL* y, double* parts, int base, int all,
        unsigned* arrived, double* sigmaTo, double* squareTo) {
    __shared__ double scratch[THREADS / 32][2];
    __shared__ bool isLast;
    const Triangle t = {chunkOffsets, columns, values, slots, rows};
    double sigma = 0;
    double square = 0;
    visit(t, from, to, false, [&](int slot, int row) {
        const double mine = hat[row];
        const double step = p[row];
        double norm = r[row];
        double sum = mine + (middle == nullptr ? centre : (double) middle[row]) * step;
        const int end = chunkOffsets[slot / CHUNK + 1];
        for (int at = chunkOffsets[slot / CHUNK] + slot % CHUNK; at < end && columns[at] >= 0; at += CHUNK) {
            const double value = values[at];
            norm += value * (double) r[columns[at]];
            sum -= value * (double) y[columns[at]];
        }
        const REAL result = (REAL) sum;
        y[row] = result;
        sigma += mine * (step + (double) result);
        norm *= weights == nullptr ? weight : (double) weights[row];
        square += norm * norm;
    });
    foldBlock(sigma, square, scratch);
    if (threadIdx.x == 0) {
        parts[2 * (base + (int) blockIdx.x)] = sigma;
        parts[2 * (base + (int) blockIdx.x) + 1] = square;
    }
    if (all == 0) {
        return;
    }
    if (threadIdx.x == 0) {
        __threadfence();
        isLast = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (isLast) {
        sigma = 0;
        square = 0;
        for (int i = threadIdx.x; i < all; i += THREADS) {
            sigma += __ldcg(parts + 2 * i);
            square += __ldcg(parts + 2 * i + 1);
        }
        foldBlock(sigma, square, scratch);
        if (threadIdx.x == 0) {
            *sigmaTo = sigma;
            *squareTo = square;
        }
    }
}

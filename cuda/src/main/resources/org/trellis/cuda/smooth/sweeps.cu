/*
 * Sweeps of smoothers. REAL is the element type, THREADS the block size. Rows are stored in chunks of 32 slots, a warp's,
 * whose entries lie side by side: entry k of slot s of a chunk is at its start + 32 k + s. A column below 0 ends a row, a
 * row below 0 is a slot without a row. Arithmetic is in double precision and rounded once.
 */

#define CHUNK 32

struct Staged {
    const int* chunkOffsets;
    const int* columns;
    const REAL* values;
    const int* rows;
    const REAL* factors; /* null for ones */
};

/* x_row = keep x_row + scale f (b_row - sum a x); b may be null, and may be x. */
__device__ __forceinline__ void relaxSlot(const Staged& staged, int slot, double keep, double scale, const REAL* b,
                                          REAL* x) {
    const int row = staged.rows[slot];
    if (row < 0) {
        return;
    }
    const int chunk = slot / CHUNK;
    const int end = staged.chunkOffsets[chunk + 1];
    double sum = b == nullptr ? 0.0 : (double) b[row];
    for (int at = staged.chunkOffsets[chunk] + slot % CHUNK; at < end; at += CHUNK) {
        const int column = staged.columns[at];
        if (column < 0) {
            break;
        }
        sum -= (double) staged.values[at] * (double) x[column];
    }
    const double change = scale * (staged.factors == nullptr ? 1.0 : (double) staged.factors[slot]) * sum;
    x[row] = (REAL) (keep == 0 ? change : keep * (double) x[row] + change);
}

/* One stage: a thread for each slot. */
extern "C" __global__ __launch_bounds__(THREADS) void trellisStage(
        const int* chunkOffsets, const int* columns, const REAL* values, const int* rows, const REAL* factors,
        double keep, double scale, const REAL* b, REAL* x, int from, int to) {
    const Staged staged = {chunkOffsets, columns, values, rows, factors};
    const long long slot = from + (long long) blockIdx.x * THREADS + threadIdx.x;
    if (slot < to) {
        relaxSlot(staged, (int) slot, keep, scale, b, x);
    }
}

/* Narrow stages one after the other, by one block: stage i has the slots from slots[i] to slots[i + 1]. */
extern "C" __global__ __launch_bounds__(THREADS) void trellisStages(
        const int* chunkOffsets, const int* columns, const REAL* values, const int* rows, const REAL* factors,
        double keep, double scale, const REAL* b, REAL* x, const int* slots, int from, int to, int backward) {
    const Staged staged = {chunkOffsets, columns, values, rows, factors};
    for (int i = from; i < to; i++) {
        const int stage = backward ? to - 1 - (i - from) : i;
        for (int slot = slots[stage] + threadIdx.x; slot < slots[stage + 1]; slot += THREADS) {
            relaxSlot(staged, slot, keep, scale, b, x);
        }
        __syncthreads();
    }
}

/* c = alpha d r + beta c, and then x = gamma x + c; with a factor of 0 the old c or x is not read. */
extern "C" __global__ __launch_bounds__(THREADS) void trellisCorrect(
        double alpha, double beta, double gamma, const REAL* __restrict__ d, const REAL* __restrict__ r, REAL* c,
        REAL* x, int n) {
    for (long long i = (long long) blockIdx.x * THREADS + threadIdx.x; i < n; i += (long long) gridDim.x * THREADS) {
        const REAL next = (REAL) (alpha * ((double) d[i] * (double) r[i]) + (beta == 0 ? 0.0 : beta * (double) c[i]));
        c[i] = next;
        x[i] = (REAL) ((double) next + (gamma == 0 ? 0.0 : gamma * (double) x[i]));
    }
}

// Products of sparse matrices, row by row: each thread has short rows for itself, and so needs no one to wait for. Its table
// of columns is in shared memory, where the next slot is THREADS later, so that threads do not share banks.
#include "arguments.cuh"

#define EMPTY 0x7fffffff
// Entries of a row of B that are loaded and looked for at a time.
#define BATCH 4

// Some entries of a row of B, in different columns; EMPTY where there are fewer.
template <bool VALUES>
struct Batch {
    int columns[BATCH];
    REAL values[BATCH];
    double factor;

    __device__ __forceinline__ void load(const Matrix& b, int from, int to) {
#pragma unroll
        for (int u = 0; u < BATCH; u++) {
            columns[u] = from + u < to ? b.columns[from + u] : EMPTY;
            if (VALUES) {
                values[u] = from + u < to ? b.values[from + u] : (REAL) 0;
            }
        }
    }
};

// Shows the terms of a row to visit(batch) in the order of the columns of A, until it returns false. A batch is loaded while
// the one before is looked at, and where a row of B is while the row before is loaded, since loads are waited for.
template <bool VALUES, typename Visitor>
__device__ __forceinline__ void visitTerms(const Arguments& a, int row, Visitor&& visit) {
    int k = a.a.offsets[row];
    const int last = a.a.offsets[row + 1];
    int at = 0;
    int to = 0;
    double factor = 0;
    int inner = k < last ? a.a.columns[k] : 0;
    int nextAt = k < last ? a.b.offsets[inner] : 0;
    int nextTo = k < last ? a.b.offsets[inner + 1] : 0;
    double nextFactor = VALUES && k < last ? (double) a.a.values[k] : 0.0;
    inner = k + 1 < last ? a.a.columns[k + 1] : 0;
    Batch<VALUES> now;
    Batch<VALUES> coming;
    for (bool first = true;; first = false) {
        at += BATCH;
        while (at >= to && k < last) {
            at = nextAt;
            to = nextTo;
            factor = nextFactor;
            k++;
            if (k < last) {
                nextAt = a.b.offsets[inner];
                nextTo = a.b.offsets[inner + 1];
                nextFactor = VALUES ? (double) a.a.values[k] : 0.0;
                inner = k + 1 < last ? a.a.columns[k + 1] : 0;
            }
        }
        coming.load(a.b, at, to);
        coming.factor = factor;
        if (!first && !visit(now)) {
            return;
        }
        if (at >= to) {
            return;
        }
        now = coming;
    }
}

__device__ __forceinline__ int after(int slot, int slots) {
    return slot + 1 < slots ? slot + 1 : 0;
}

// Finds the slots of the columns of a batch, or gives them some; isNew says which. Returns how many these are. Columns that
// are there, as most are, are looked for side by side.
template <bool VALUES>
__device__ __forceinline__ int place(const Batch<VALUES>& batch, int* keys, int slots, int* slot, bool* isNew) {
    int found[BATCH];
#pragma unroll
    for (int u = 0; u < BATCH; u++) {
        const unsigned hash = (unsigned) batch.columns[u] * 2654435761u;
        slot[u] = (int) ((unsigned long long) hash * (unsigned) slots >> 32);
        found[u] = batch.columns[u] == EMPTY ? EMPTY : keys[slot[u] * THREADS];
    }
    int added = 0;
#pragma unroll
    for (int u = 0; u < BATCH; u++) {
        while (found[u] != batch.columns[u] && found[u] != EMPTY) {
            slot[u] = after(slot[u], slots);
            found[u] = keys[slot[u] * THREADS];
        }
        isNew[u] = found[u] != batch.columns[u];
        if (isNew[u]) {
            while (keys[slot[u] * THREADS] != EMPTY) { // taken by a column of the same batch
                slot[u] = after(slot[u], slots);
            }
            keys[slot[u] * THREADS] = batch.columns[u];
            added++;
        }
    }
    return added;
}

__device__ __forceinline__ void clear(int* keys, int slots) {
    for (int slot = 0; slot < slots; slot++) {
        keys[slot * THREADS] = EMPTY;
    }
}

// Counts the columns of rows; they become the lengths. A row of more than first columns goes to the list and gets the
// greatest length, size, as do one of more than alpha entries of A and all rows once there are beta such. counts[0] is how
// many these are, counts[1] the length of the longest other row. Tables have last slots, more than BATCH beyond first.
extern "C" __global__ void __launch_bounds__(THREADS) countAlone(const __grid_constant__ Arguments a) {
    extern __shared__ __align__(16) unsigned char pool[];
    const int row = item();
    if (row >= a.rows) {
        return;
    }
    int* const keys = (int*) pool + threadIdx.x;
    const bool tried = a.a.offsets[row + 1] - a.a.offsets[row] <= (int) a.alpha
            && *(volatile int*) a.counts < (int) a.beta;
    int count = tried ? 0 : a.first + 1;
    if (tried) {
        clear(keys, a.last);
        visitTerms<false>(a, row, [&](const Batch<false>& batch) {
            int slot[BATCH];
            bool isNew[BATCH];
            count += place(batch, keys, a.last, slot, isNew);
            return count <= a.first;
        });
    }
    if (count > a.first) {
        a.more[atomicAdd(&a.counts[0], 1)] = row;
    } else if (count > *(volatile int*) (a.counts + 1)) {
        atomicMax(&a.counts[1], count);
    }
    a.lengths[row] = count > a.first ? a.size : count;
}

// Finds columns and values of rows of at most first columns at once. The offsets are there. Tables have last slots.
extern "C" __global__ void __launch_bounds__(THREADS) fillAlone(const __grid_constant__ Arguments a) {
    extern __shared__ __align__(16) unsigned char pool[];
    const int row = item();
    const int start = row < a.rows ? a.offsets[row] : 0;
    if (row >= a.rows || a.offsets[row + 1] - start > a.first) {
        return;
    }
    double* const sums = (double*) pool + threadIdx.x;
    int* const keys = (int*) ((double*) pool + a.last * THREADS) + threadIdx.x;
    clear(keys, a.last);
    visitTerms<true>(a, row, [&](const Batch<true>& batch) {
        int slot[BATCH];
        bool isNew[BATCH];
        place(batch, keys, a.last, slot, isNew);
        double before[BATCH];
#pragma unroll
        for (int u = 0; u < BATCH; u++) {
            before[u] = isNew[u] || batch.columns[u] == EMPTY ? 0.0 : sums[slot[u] * THREADS];
        }
#pragma unroll
        for (int u = 0; u < BATCH; u++) {
            if (batch.columns[u] != EMPTY) {
                sums[slot[u] * THREADS] = before[u] + batch.factor * (double) batch.values[u];
            }
        }
        return true;
    });
    int count = 0;
    for (int slot = 0; slot < a.last; slot++) {
        const int key = keys[slot * THREADS];
        if (key != EMPTY) {
            keys[count * THREADS] = key;
            sums[count * THREADS] = sums[slot * THREADS];
            count++;
        }
    }
    for (int i = 0; i < count; i++) {
        const int column = keys[i * THREADS];
        int place = start;
#pragma unroll 4
        for (int other = 0; other < count; other++) {
            place += keys[other * THREADS] < column;
        }
        a.columns[place] = column;
        a.values[place] = (REAL) sums[i * THREADS];
    }
}

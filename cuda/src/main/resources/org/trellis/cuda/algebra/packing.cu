// Chunks of stencil.cu (of the sparse products) for matrices that are on the device. A warp works on a chunk, of which
// each thread has up to PARTS rows.
#include "arguments.cuh"

#define MOST 32
#define RECORD 16
#define HEADER 4
#define WARP 32
#define PARTS 4
#define WINDOW 4
#define FULL 0xffffffffu
#define NO_COLUMN 0x7fffffff

__device__ __forceinline__ bool sameFinite(REAL v, REAL w) {
    return w - w == 0 && v == w && copysign((REAL) 1, v) == copysign((REAL) 1, w);
}

// The next entries of a thread's rows: their columns, less the rows' places in the chunk, and their values.
struct Cursor {
    int begin[PARTS];
    int at[PARTS];
    int end[PARTS];
    int offset[PARTS];
    REAL value[PARTS];
};

// Entries of rows that threads have loaded: WINDOW of each at a time, since what is loaded beside one of them is gone from
// the cache when it is needed.
struct Windows {
    int columns[PARTS][WINDOW][THREADS];
    REAL values[PARTS][WINDOW][THREADS];
};

__device__ __forceinline__ int place(int part) {
    return part * WARP + (int) (threadIdx.x % WARP);
}

__device__ __forceinline__ void fill(const Arguments& a, Windows& w, const Cursor& c, int q) {
    int column[WINDOW];
    REAL value[WINDOW];
#pragma unroll
    for (int u = 0; u < WINDOW; u++) {
        const int k = min(c.at[q] + u, c.end[q] - 1);
        column[u] = a.a.columns[k];
        value[u] = a.a.values[k];
    }
#pragma unroll
    for (int u = 0; u < WINDOW; u++) {
        w.columns[q][u][threadIdx.x] = column[u];
        w.values[q][u][threadIdx.x] = value[u];
    }
}

__device__ __forceinline__ void load(const Arguments& a, Windows& w, Cursor& c, int q) {
    if (c.at[q] >= c.end[q]) {
        c.offset[q] = NO_COLUMN;
        return;
    }
    const int slot = (c.at[q] - c.begin[q]) % WINDOW;
    if (slot == 0) {
        fill(a, w, c, q);
    }
    c.offset[q] = w.columns[q][slot][threadIdx.x] - place(q);
    c.value[q] = w.values[q][slot][threadIdx.x];
}

// The least offset of all rows of the chunk.
__device__ __forceinline__ int least(const Cursor& c) {
    int offset = c.offset[0];
    for (int q = 1; q < PARTS; q++) {
        offset = min(offset, c.offset[q]);
    }
    for (int half = WARP / 2; half > 0; half /= 2) {
        offset = min(offset, __shfl_xor_sync(FULL, offset, half));
    }
    return offset;
}

// The value that all entries on a diagonal have, bit for bit; false if they differ or are not finite.
__device__ __forceinline__ bool commonValue(const Cursor& c, int base, REAL& common) {
    bool known = false;
    bool same = true;
    for (int q = 0; q < PARTS; q++) {
        const bool present = c.offset[q] == base;
        const REAL own = c.value[q];
        const unsigned rows = __ballot_sync(FULL, present);
        if (rows != 0) {
            const REAL first = __shfl_sync(FULL, own, __ffs((int) rows) - 1);
            common = known ? common : first;
            known = true;
        }
        same = same && (!present || sameFinite(common, own));
    }
    return __all_sync(FULL, same);
}

// Visits the diagonals of a chunk in increasing order; false if it is no stencil. All threads of a warp call it.
template <typename Visitor>
__device__ __forceinline__ bool visitDiagonals(const Arguments& a, int chunk, Visitor& visitor) {
    __shared__ Windows windows;
    Cursor c;
#pragma unroll
    for (int q = 0; q < PARTS; q++) {
        const int row = chunk * a.first + place(q);
        const bool inside = q < a.first / WARP && row < a.rows;
        c.begin[q] = inside ? a.a.offsets[row] : 0;
        c.at[q] = c.begin[q];
        c.end[q] = inside ? a.a.offsets[row + 1] : 0;
        load(a, windows, c, q);
    }
    int previous = -NO_COLUMN;
    int base = least(c);
    for (int d = 0; base != NO_COLUMN; d++) {
        REAL value = 0;
        if (d == MOST || base <= previous || !commonValue(c, base, value)) {
            return false;
        }
        visitor.diagonal(d, base, value, c);
#pragma unroll
        for (int q = 0; q < PARTS; q++) {
            if (c.offset[q] == base) {
                c.at[q]++;
                load(a, windows, c, q);
            }
        }
        previous = base;
        base = least(c);
    }
    return true;
}

struct Counter {
    int count;

    __device__ __forceinline__ void diagonal(int d, int base, REAL value, const Cursor& c) {
        count = d + 1;
    }
};

struct Writer {
    int* bases;
    REAL* values;
    unsigned present[PARTS];

    __device__ __forceinline__ void diagonal(int d, int base, REAL value, const Cursor& c) {
        if (threadIdx.x % WARP == 0) {
            bases[d] = base;
            values[d] = value;
        }
        for (int q = 0; q < PARTS; q++) {
            present[q] |= c.offset[q] == base ? 1u << d : 0;
        }
    }
};

__device__ __forceinline__ bool isMasked(const Arguments& a, int chunk, int diagonals) {
    const int from = min(a.rows, chunk * a.first);
    const int to = min(a.rows, (chunk + 1) * a.first);
    return a.a.offsets[to] - a.a.offsets[from] < diagonals * a.first;
}

// Sets counts[0] if one of size chunks, a.last apart, is no stencil. Lengths gets the integers of their tables, and more
// their diagonals.
extern "C" __global__ void __launch_bounds__(THREADS) planStencils(const __grid_constant__ Arguments a) {
    const int number = item() / WARP;
    if (number < a.size) {
        const int chunk = number * a.last;
        Counter counter = {0};
        const bool stencil = visitDiagonals(a, chunk, counter);
        if (threadIdx.x % WARP == 0) {
            const int diagonals = counter.count;
            if (!stencil) {
                a.counts[0] = 1;
            }
            a.more[number] = diagonals;
            a.lengths[number] = (diagonals > RECORD - HEADER ? diagonals : 0)
                    + (isMasked(a, chunk, diagonals) ? a.first : 0);
        }
    }
}

// Writes records (columns), tables (list) from offsets on, and values of chunks that are stencils.
extern "C" __global__ void __launch_bounds__(THREADS) fillStencils(const __grid_constant__ Arguments a) {
    const int chunk = item() / WARP;
    if (chunk < a.size) {
        const int diagonals = a.more[chunk];
        const bool inlined = diagonals <= RECORD - HEADER;
        const bool masked = isMasked(a, chunk, diagonals);
        int* record = a.columns + (long long) chunk * RECORD;
        int* table = a.list + a.offsets[chunk];
        Writer writer = {inlined ? record + HEADER : table, a.values + (long long) chunk * MOST, {}};
        visitDiagonals(a, chunk, writer);
        if (threadIdx.x % WARP == 0) {
            record[0] = chunk;
            record[1] = a.offsets[chunk];
            record[2] = diagonals;
            record[3] = masked ? 1 : 0;
        }
        for (int q = 0; masked && q < a.first / WARP; q++) {
            table[(inlined ? 0 : diagonals) + place(q)] = (int) writer.present[q];
        }
    }
}

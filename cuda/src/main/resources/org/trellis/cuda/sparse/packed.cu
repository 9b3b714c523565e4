/*
 * SELL for warps (see sell.cu) with compressed columns. A slot of a chunk is
 *   a diagonal: the row at position r of the chunk has an entry in column base + r, if bit s of its mask is set; or
 *   a unit: a run of `run` entries of each row in consecutive columns, with one column for all of them.
 * Diagonals come first, then units. The column of a unit is a code of 16 bits (one of up to 16 bases and an offset below
 * 4096; the codes of a thread are neighbours) or, in chunks where that does not fit, a 32-bit column. Padding is a code
 * or column of all ones and is not multiplied.
 *
 * records[c] = 16 integers: first value slot and first code slot in units of 32; start of the chunk's table, shifted
 *   left by one, the lowest bit set if rows have masks; bit field; and 12 integers that hold the bases of the diagonals
 *   and then those of the codes, if they are no more than that; otherwise these stand at the start of the table
 *   bit field: 0-15 units, 16-22 diagonals, 23-27 bases of codes, 28-30 run, 31 set if columns are 32-bit ones
 *   masks, at the end of the table: for each 32 diagonals, for each row of the chunk
 */
#include "product.cuh"
#include "chunks.cuh"

#define RECORD 16
#define HEADER 4

/* The part of a record that a thread holds, and the chunk's table. */
struct Chunk {
    int word;
    const int* __restrict__ table;
    bool masked;
    int units;
    int diagonals;
    int bases;
    int run;
    bool wide;
    bool inlined;

    /* Returns for each thread its element of a part of the bases: element `first + lane`. */
    __device__ __forceinline__ int basesFrom(int first, int end, int lane) const {
        int inside = __shfl_sync(FULL_MASK, word, HEADER + first + lane);
        return inlined ? inside : first + lane < end ? __ldg(table + first + lane) : 0;
    }
};

__device__ __forceinline__ void diagonalPart(const Chunk& chunk, const Value* __restrict__ values,
                                             const Value* __restrict__ x, int lane, Sum* sum) {
    const int* masks = chunk.table + (chunk.inlined ? 0 : chunk.diagonals + chunk.bases) + lane;
    for (int first = 0; first < chunk.diagonals; first += WARP) {
        int count = min(WARP, chunk.diagonals - first);
        int base = chunk.basesFrom(first, chunk.diagonals, lane);
        unsigned present[ROWS];
#pragma unroll
        for (int q = 0; q < ROWS; q++) {
            present[q] = chunk.masked ? __ldg(masks + (first / WARP * ROWS + q) * WARP) : FULL_MASK;
        }
        for (int s = 0; s < count; s += UNROLL) {
            int column[UNROLL];
            Value value[UNROLL * ROWS];
            Value factor[UNROLL * ROWS];
#pragma unroll
            for (int u = 0; u < UNROLL; u++) {
                column[u] = __shfl_sync(FULL_MASK, base, s + u) + lane;
            }
#pragma unroll
            for (int u = 0; u < UNROLL * ROWS; u++) {
                bool stored = s + u / ROWS < count;
                value[u] = stored ? loadOnce(values + ((first + s) * ROWS + u) * WARP) : Value(0);
            }
#pragma unroll
            for (int u = 0; u < UNROLL * ROWS; u++) {
                bool used = s + u / ROWS < count && (present[u % ROWS] >> (s + u / ROWS)) & 1;
                factor[u] = used ? __ldg(x + column[u / ROWS] + u % ROWS * WARP) : Value(0);
            }
#pragma unroll
            for (int u = 0; u < UNROLL * ROWS; u++) {
                sum[u % ROWS] += Sum(value[u]) * Sum(factor[u]);
            }
        }
    }
}

struct CodedUnits {
    const Code* codes;
    int base;

    __device__ __forceinline__ void load(int unit, bool present, int* column) const {
        unsigned long long packed = ~0ull;
        const Code* address = codes + unit * (ROWS * WARP);
        if (present) {
#if ROWS == 1
            packed = loadOnce(address);
#elif ROWS == 2
            packed = loadOnce((const unsigned*) address);
#else
            packed = loadOnce((const unsigned long long*) address);
#endif
        }
#pragma unroll
        for (int q = 0; q < ROWS; q++) {
            unsigned code = unsigned(packed >> (16 * q)) & 0xffff;
            int decoded = __shfl_sync(FULL_MASK, base, code >> CODE_SHIFT) + int(code & CODE_MASK);
            column[q] = code == CODE_PADDING ? -1 : decoded;
        }
    }
};

struct WideUnits {
    const int* columns;

    __device__ __forceinline__ void load(int unit, bool present, int* column) const {
#pragma unroll
        for (int q = 0; q < ROWS; q++) {
            column[q] = present ? loadOnce(columns + (unit * ROWS + q) * WARP) : -1;
        }
    }
};

template <int run, int unroll, typename Units>
__device__ __forceinline__ void unitPart(const Units& units, const Value* __restrict__ values,
                                         const Value* __restrict__ x, int count, Sum* sum) {
    for (int s = 0; s < count; s += unroll) {
        int column[unroll * ROWS];
        Value value[unroll * run * ROWS];
        Value factor[unroll * run * ROWS];
#pragma unroll
        for (int u = 0; u < unroll; u++) {
            units.load(s + u, s + u < count, column + u * ROWS);
        }
#pragma unroll
        for (int u = 0; u < unroll * run * ROWS; u++) {
            value[u] = s + u / (run * ROWS) < count ? loadOnce(values + (s * run * ROWS + u) * WARP) : Value(0);
        }
        const Value* loaded = x + zeroAfter<unroll * run * ROWS>(value);
#pragma unroll
        for (int u = 0; u < unroll * run * ROWS; u++) {
            int start = column[u / (run * ROWS) * ROWS + u % ROWS];
            factor[u] = start >= 0 ? __ldg(loaded + start + u / ROWS % run) : Value(0);
        }
#pragma unroll
        for (int u = 0; u < unroll * run * ROWS; u++) {
            sum[u % ROWS] += Sum(value[u]) * Sum(factor[u]);
        }
    }
}

template <typename Units>
__device__ __forceinline__ void unitPart(const Units& units, const Value* values, const Value* x, int count, int run,
                                         Sum* sum) {
    switch (run) {
        case 1:
            return unitPart<1, UNROLL>(units, values, x, count, sum);
        case 2:
            return unitPart<2, (UNROLL + 1) / 2>(units, values, x, count, sum);
        case 3:
            return unitPart<3, (UNROLL + 2) / 3>(units, values, x, count, sum);
        case 4:
            return unitPart<4, (UNROLL + 3) / 4>(units, values, x, count, sum);
        default:
            return unitPart<6, (UNROLL + 5) / 6>(units, values, x, count, sum);
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK_SIZE)
spmv(PRODUCT_PARAMETERS, CHUNK_PARAMETERS, const int* __restrict__ records, const int* __restrict__ tables,
     const Code* __restrict__ codes, const Value* __restrict__ values) {
    Product p = PRODUCT;
    int lane = threadIdx.x % WARP;
    int number = blockIdx.x * WARPS + threadIdx.x / WARP;
    double dot = 0;
    if (number < chunks) {
        int word = lane < RECORD ? __ldg(records + (long long) number * RECORD + lane) : 0;
        int start = __shfl_sync(FULL_MASK, word, 2);
        int bits = __shfl_sync(FULL_MASK, word, 3);
        int diagonals = (bits >> 16) & 0x7f;
        int bases = (bits >> 23) & 0x1f;
        Chunk chunk = {word, tables + (start >> 1), (start & 1) != 0, bits & 0xffff, diagonals, bases,
                       (bits >> 28) & 0x7, bits < 0, diagonals + bases <= RECORD - HEADER};
        const Value* from = values + (long long) __shfl_sync(FULL_MASK, word, 0) * WARP + lane;
        const Code* code = codes + (long long) __shfl_sync(FULL_MASK, word, 1) * WARP;
        Sum sum[ROWS] = {};
        if (chunk.diagonals > 0) {
            diagonalPart(chunk, from, x, lane, sum);
            from += chunk.diagonals * (ROWS * WARP);
        }
        if (chunk.units > 0) {
            if (chunk.wide) {
                WideUnits units = {(const int*) code + lane};
                unitPart(units, from, x, chunk.units, chunk.run, sum);
            } else {
                int end = diagonals + bases;
                CodedUnits units = {code + lane * ROWS, chunk.basesFrom(diagonals, end, lane)};
                unitPart(units, from, x, chunk.units, chunk.run, sum);
            }
        }
        ChunkTargets to = CHUNK_TARGETS;
        finishChunk(p, to, number, sum, dot);
    }
    finishBlock(p, dot);
}

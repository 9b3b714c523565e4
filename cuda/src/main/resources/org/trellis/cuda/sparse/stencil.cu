/*
 * SELL for warps (see sell.cu) of matrices of which all chunks are stencils: their entries are on at most 32 diagonals,
 * and those of each diagonal have one value. Neither columns nor values of entries are stored, so that hardly anything
 * is loaded but the multiplicand, and what limits a product is how many of its elements are under way at a time.
 *
 * records[c] = 16 integers: first value slot in units of 32, start of the chunk's table, number of diagonals, 1 if some
 *   row has no entry on some diagonal; 12 integers that hold the columns of the diagonals at row 0 of the chunk, if they
 *   are no more than that; otherwise these stand at the start of the table
 * masks, at the end of the table: for each row of the chunk the diagonals on which it has an entry, if not all
 * values: one for each diagonal, padded to 32; chunks may have the same ones
 */
#include "product.cuh"
#include "chunks.cuh"

#define RECORD 16
#define HEADER 4

struct Stencil {
    const int* __restrict__ bases;
    const Value* __restrict__ values;
    int diagonals;
    bool masked;
    /* The diagonals on which each row of the thread has an entry. */
    unsigned present[ROWS];
};

/* Groups of diagonals are loaded without a test whether there are as many. */
template <int count, bool masked>
__device__ __forceinline__ void stencilGroup(const Stencil& stencil, int first, const Value* __restrict__ x, int lane,
                                             Sum* sum) {
    Value factor[count * ROWS];
#pragma unroll
    for (int s = 0; s < count; s++) {
        const Value* from = x + (__ldg(stencil.bases + first + s) + lane);
#pragma unroll
        for (int q = 0; q < ROWS; q++) {
            bool used = !masked || (stencil.present[q] >> (first + s)) & 1;
            factor[s * ROWS + q] = used ? __ldg(from + q * WARP) : Value(0);
        }
    }
#pragma unroll
    for (int s = 0; s < count; s++) {
        Value value = __ldg(stencil.values + first + s);
#pragma unroll
        for (int q = 0; q < ROWS; q++) {
            sum[q] += Sum(value) * Sum(factor[s * ROWS + q]);
        }
    }
}

template <int count>
__device__ __forceinline__ void stencilGroups(const Stencil& stencil, const Value* x, int lane, Sum* sum) {
    for (int first = 0; first < stencil.diagonals; first += count) {
        if (stencil.masked) {
            stencilGroup<count, true>(stencil, first, x, lane, sum);
        } else {
            stencilGroup<count, false>(stencil, first, x, lane, sum);
        }
    }
}

__device__ __forceinline__ void stencilSum(const Stencil& stencil, const Value* x, int lane, Sum* sum) {
    if (stencil.diagonals % 5 == 0) {
        stencilGroups<5>(stencil, x, lane, sum);
    } else if (stencil.diagonals % 7 == 0) {
        stencilGroups<7>(stencil, x, lane, sum);
    } else if (stencil.diagonals % 9 == 0) {
        stencilGroups<9>(stencil, x, lane, sum);
    } else if (stencil.diagonals % 3 == 0) {
        stencilGroups<3>(stencil, x, lane, sum);
    } else if (stencil.diagonals % 2 == 0) {
        stencilGroups<2>(stencil, x, lane, sum);
    } else {
        stencilGroups<1>(stencil, x, lane, sum);
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK_SIZE)
spmv(PRODUCT_PARAMETERS, CHUNK_PARAMETERS, const int* __restrict__ records, const int* __restrict__ tables,
     const Value* __restrict__ values) {
    Product p = PRODUCT;
    int lane = threadIdx.x % WARP;
    int number = blockIdx.x * WARPS + threadIdx.x / WARP;
    double dot = 0;
    if (number < chunks) {
        const int* record = records + (long long) number * RECORD;
        int4 head = __ldg((const int4*) record);
        const int* table = tables + head.y;
        bool inlined = head.z <= RECORD - HEADER;
        Stencil stencil = {inlined ? record + HEADER : table, values + (long long) head.x * WARP, head.z, head.w != 0};
#pragma unroll
        for (int q = 0; q < ROWS; q++) {
            const int* masks = table + (inlined ? 0 : head.z) + lane;
            stencil.present[q] = stencil.masked ? __ldg(masks + q * WARP) : 0;
        }
        Sum sum[ROWS] = {};
        stencilSum(stencil, x, lane, sum);
        ChunkTargets to = CHUNK_TARGETS;
        finishChunk(p, to, number, sum, dot);
    }
    finishBlock(p, dot);
}

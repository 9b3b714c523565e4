/*
 * SELL-C-sigma for warps: a chunk is C = ROWS * 32 / COOPERATING rows, stored in slots of ROWS * 32 entries. Entry
 * s * COOPERATING + t of row q * 32 / COOPERATING + r of the chunk is in slot s, part q, lane r * COOPERATING + t: a
 * thread works on ROWS rows at once, and every load of the matrix is a full, aligned line. Padding has column -1 and is
 * not multiplied, so that it cannot spread values that are not finite.
 *
 * chunkSlots[c] is the first slot of chunk c. With SORTED, targets[i] says what the i-th stored row is: a row of the
 * matrix, or, as -1 - piece, a piece of a long one; splitOf[piece] is the long row, see product.cuh.
 */
#include "product.cuh"
#include "chunks.cuh"

__device__ __forceinline__ void chunkPart(const int* __restrict__ columns, const Value* __restrict__ values,
                                          const Value* __restrict__ x, int slots, Sum* sum) {
    for (int s = 0; s < slots; s += UNROLL) {
        int column[UNROLL * ROWS];
        Value value[UNROLL * ROWS];
        Value factor[UNROLL * ROWS];
#pragma unroll
        for (int u = 0; u < UNROLL * ROWS; u++) {
            bool present = s + u / ROWS < slots;
            column[u] = present ? loadOnce(columns + (s * ROWS + u) * WARP) : -1;
            value[u] = present ? loadOnce(values + (s * ROWS + u) * WARP) : Value(0);
        }
        const Value* loaded = x + zeroAfter<UNROLL * ROWS>(value);
#pragma unroll
        for (int u = 0; u < UNROLL * ROWS; u++) {
            factor[u] = column[u] >= 0 ? __ldg(loaded + column[u]) : Value(0);
        }
#pragma unroll
        for (int u = 0; u < UNROLL * ROWS; u++) {
            sum[u % ROWS] += Sum(value[u]) * Sum(factor[u]);
        }
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK_SIZE)
spmv(PRODUCT_PARAMETERS, CHUNK_PARAMETERS, const int* __restrict__ chunkSlots, const int* __restrict__ columns,
     const Value* __restrict__ values) {
    Product p = PRODUCT;
    int chunk = blockIdx.x * WARPS + threadIdx.x / WARP;
    double dot = 0;
    if (chunk < chunks) {
        int first = __ldg(chunkSlots + chunk);
        int slots = __ldg(chunkSlots + chunk + 1) - first;
        long long start = (long long) first * (ROWS * WARP) + threadIdx.x % WARP;
        Sum sum[ROWS] = {};
        chunkPart(columns + start, values + start, x, slots, sum);
        ChunkTargets to = CHUNK_TARGETS;
        finishChunk(p, to, chunk, sum, dot);
    }
    finishBlock(p, dot);
}

/*
 * Compressed sparse rows in tiles of about equal numbers of non-zeros (at most BLOCK_SIZE * ROWS, ROWS being non-zeros a
 * thread). A tile is a range of whole rows, or a piece of a row that is longer than a tile. A block loads its tile with
 * full lines, whatever the rows, keeps the products in shared memory and adds them up row by row, as many threads a row
 * as the tile has rows for (after Greathouse and Daga, SC 2014). Pieces of long rows are added up as product.cuh says.
 *
 * tiles[2 t]     = (first row, rows, first non-zero, non-zeros)
 * tiles[2 t + 1] = (start of the indices in units of 16 bits / 2, start of the bases, bit field, split row or -1)
 *   bit field: 0-4 bases, 5 set if columns are 32-bit ones, 6-31 index of the piece
 */
#include "product.cuh"
#include "tiles.cuh"

struct PlainColumns {
    const int* columns;

    __device__ __forceinline__ int at(int k, bool present) const {
        return present ? loadOnce(columns + k) : 0;
    }
};

struct CodedColumns {
    const Code* codes;
    int base;

    __device__ __forceinline__ int at(int k, bool present) const {
        unsigned code = present ? loadOnce(codes + k) : 0;
        return __shfl_sync(FULL_MASK, base, code >> CODE_SHIFT) + int(code & CODE_MASK);
    }
};

template <typename Columns>
__device__ __forceinline__ void multiply(const Columns& columns, const Value* __restrict__ values,
                                         const Value* __restrict__ x, int count, Sum* product) {
    int column[ROWS];
    Value value[ROWS];
#pragma unroll
    for (int u = 0; u < ROWS; u++) {
        int k = threadIdx.x + u * BLOCK_SIZE;
        column[u] = columns.at(k, k < count);
        value[u] = k < count ? loadOnce(values + k) : Value(0);
    }
#pragma unroll
    for (int u = 0; u < ROWS; u++) {
        int k = threadIdx.x + u * BLOCK_SIZE;
        product[u] = k < count ? Sum(value[u]) * Sum(__ldg(x + column[u])) : Sum(0);
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK_SIZE)
spmv(PRODUCT_PARAMETERS, const int4* __restrict__ tiles, const int4* __restrict__ splits, Sum* carries, unsigned* arrivals,
     const int* __restrict__ offsets, const void* __restrict__ indices, const int* __restrict__ bases,
     const Value* __restrict__ values) {
    Product p = PRODUCT;
    __shared__ Sum products[SKEW(TILE) + 1];
    __shared__ Sum scratch[WARP];
    int4 range = __ldg(tiles + 2 * blockIdx.x);
    int4 layout = __ldg(tiles + 2 * blockIdx.x + 1);
    int rows = range.y;
    int cooperating = threadsOfRow(rows);
    int row = threadIdx.x / cooperating;
    int begin = row < rows ? __ldg(offsets + range.x + row) - range.z : 0;
    int end = row < rows ? __ldg(offsets + range.x + row + 1) - range.z : 0;
    Sum product[ROWS];
#if INDEX_BITS == 32
    PlainColumns columns = {(const int*) indices + range.z};
    multiply(columns, values + range.z, p.x, range.w, product);
#else
    const Code* codes = (const Code*) indices + 2ll * layout.x;
    if (layout.z & 32) {
        PlainColumns columns = {(const int*) codes};
        multiply(columns, values + range.z, p.x, range.w, product);
    } else {
        int lane = threadIdx.x % WARP;
        CodedColumns columns = {codes, lane < (layout.z & 31) ? __ldg(bases + layout.y + lane) : 0};
        multiply(columns, values + range.z, p.x, range.w, product);
    }
#endif
    double dot = 0;
    if (rows == 1) {
        Sum sum = 0;
#pragma unroll
        for (int u = 0; u < ROWS; u++) {
            sum += product[u];
        }
        sum = sumOverBlock(sum, scratch);
        if (layout.w >= 0) {
            if (threadIdx.x < WARP) {
                Pieces pieces = {splits, carries, arrivals};
                finishPieces(p, pieces, layout.w, threadIdx.x == 0 ? layout.z >> 6 : -1, sum);
            }
        } else if (threadIdx.x == 0) {
            finishRow(p, range.x, sum, dot);
        }
    } else {
#pragma unroll
        for (int u = 0; u < ROWS; u++) {
            products[SKEW(threadIdx.x + u * BLOCK_SIZE)] = product[u];
        }
        sumRows(p, offsets, range.x, rows, range.z, cooperating, begin, end, products, dot);
    }
    finishBlock(p, dot);
}

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

#define TILE (BLOCK_SIZE * ROWS)
/* Keeps rows of equal lengths from meeting in one bank of the shared memory. */
#define SKEW(i) ((i) + ((i) >> (sizeof(Sum) == 8 ? 4 : 5)))

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

/* Rows of more than this many times the cooperating threads of their tile are left to whole warps. */
#define LONG_FACTOR 16
#define WARPS (BLOCK_SIZE / WARP)

/* Adds up the products of the rows of a tile, as many threads a row as there are rows for, long rows by whole warps. */
__device__ __forceinline__ void sumRows(const Product& p, const int* __restrict__ offsets, int firstRow, int rows,
                                        int firstNonZero, int cooperating, int begin, int end, const Sum* products,
                                        double& dot) {
    __shared__ unsigned short longRows[TILE / LONG_FACTOR + 1];
    __shared__ int longCount;
    if (threadIdx.x == 0) {
        longCount = 0;
    }
    __syncthreads();
    double unordered = 0;
    int lane = threadIdx.x % cooperating;
    int row = threadIdx.x / cooperating;
    for (int first = 0; first < rows; first += BLOCK_SIZE / cooperating) {
        bool isLong = cooperating < WARP && end - begin > LONG_FACTOR * cooperating;
        Sum sum = 0;
        for (int k = begin + lane; k < end && !isLong; k += cooperating) {
            sum += products[SKEW(k)];
        }
        for (int distance = cooperating / 2; distance > 0; distance /= 2) {
            sum += __shfl_xor_sync(FULL_MASK, sum, distance);
        }
        if (lane == 0 && row < rows) {
            if (isLong) {
                longRows[atomicAdd(&longCount, 1)] = row;
            } else {
                finishRow(p, firstRow + row, sum, unordered);
            }
        }
        row += BLOCK_SIZE / cooperating;
        begin = row < rows ? __ldg(offsets + firstRow + row) - firstNonZero : 0;
        end = row < rows ? __ldg(offsets + firstRow + row + 1) - firstNonZero : 0;
    }
    __syncthreads();
    for (int i = threadIdx.x / WARP; i < longCount; i += WARPS) {
        row = longRows[i];
        begin = __ldg(offsets + firstRow + row) - firstNonZero;
        end = __ldg(offsets + firstRow + row + 1) - firstNonZero;
        Sum sum = 0;
        for (int k = begin + threadIdx.x % WARP; k < end; k += WARP) {
            sum += products[SKEW(k)];
        }
        sum = sumOverGroup<WARP>(sum);
        if (threadIdx.x % WARP == 0) {
            finishRow(p, firstRow + row, sum, unordered);
        }
    }
#if DOTS
    /* Which warp gets which long row is not always the same; the dot product is added up in the order of the rows. */
    __syncthreads();
    for (row = threadIdx.x; row < rows; row += BLOCK_SIZE) {
        dot += dotTerm(p, firstRow + row, p.y[firstRow + row]);
    }
#endif
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
    int cooperating = 1;
    while (cooperating < WARP && rows * cooperating * 2 <= BLOCK_SIZE) {
        cooperating *= 2;
    }
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

/*
 * Tiles of compressed sparse rows (see balanced.cu) for matrices in which few columns have many of the entries, such as
 * graphs with hubs. There a product is bound by gathers from a multiplicand that no first-level cache holds: each costs a
 * sector of the second-level cache. So the elements of the most frequent columns, the hot ones, are copied to shared
 * memory once a block, blocks stay for as many tiles as there are for them, and while a tile is summed the next one is
 * loaded.
 *
 * Beyond product.cuh's constants:
 *   HOT   number of hot columns, a multiple of 4
 *
 * A column below HOT is the place of a hot column; others are columns of the matrix, plus HOT. gather.cu has put the hot
 * elements of the multiplicand side by side. Records of tiles and pieces are those of balanced.cu.
 */
#include "product.cuh"
#include "tiles.cuh"

#define VALUES_OF_16_BYTES (16 / int(sizeof(Value)))

/* What a thread loads of a tile before the tile before is summed. */
struct Loaded {
    int4 range;
    int4 layout;
    int column[ROWS];
    Value value[ROWS];
};

__device__ __forceinline__ void load(Loaded& tile, int number, const int4* __restrict__ tiles,
                                     const int* __restrict__ columns, const Value* __restrict__ values) {
    tile.range = __ldg(tiles + 2 * number);
    tile.layout = __ldg(tiles + 2 * number + 1);
#pragma unroll
    for (int u = 0; u < ROWS; u++) {
        int k = threadIdx.x + u * BLOCK_SIZE;
        bool present = k < tile.range.w;
        tile.column[u] = present ? loadOnce(columns + tile.range.z + k) : -1;
        tile.value[u] = present ? loadOnce(values + tile.range.z + k) : Value(0);
    }
}

/* Multiplies a tile: cold elements first, since they take longest. An entry that is not there contributes nothing. */
__device__ __forceinline__ void multiply(const Loaded& tile, const Value* __restrict__ x, const Value* hot, Sum* product) {
    Value factor[ROWS];
#pragma unroll
    for (int u = 0; u < ROWS; u++) {
        factor[u] = tile.column[u] >= HOT ? __ldg(x + (tile.column[u] - HOT)) : Value(0);
    }
#pragma unroll
    for (int u = 0; u < ROWS; u++) {
        if (tile.column[u] >= 0 && tile.column[u] < HOT) {
            factor[u] = hot[tile.column[u]];
        }
    }
#pragma unroll
    for (int u = 0; u < ROWS; u++) {
        product[u] = Sum(tile.value[u]) * Sum(factor[u]);
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK_SIZE, 2)
spmv(PRODUCT_PARAMETERS, int tileCount, const int4* __restrict__ tiles, const int4* __restrict__ splits, Sum* carries,
     unsigned* arrivals, const int* __restrict__ offsets, const int* __restrict__ columns,
     const Value* __restrict__ hotElements, const Value* __restrict__ values) {
    Product p = PRODUCT;
    extern __shared__ __align__(16) char memory[];
    Value* hot = (Value*) memory;
    Sum* products = (Sum*) (hot + HOT);
    __shared__ Sum scratch[WARP];
    Loaded tile;
    int number = blockIdx.x;
    load(tile, number, tiles, columns, values);
    for (int i = threadIdx.x * VALUES_OF_16_BYTES; i < HOT; i += BLOCK_SIZE * VALUES_OF_16_BYTES) {
        *(int4*) (hot + i) = __ldg((const int4*) (hotElements + i));
    }
    __syncthreads();
    double dot = 0;
    while (number < tileCount) {
        int4 range = tile.range;
        int4 layout = tile.layout;
        int rows = range.y;
        int cooperating = threadsOfRow(rows);
        int row = threadIdx.x / cooperating;
        int begin = row < rows ? __ldg(offsets + range.x + row) - range.z : 0;
        int end = row < rows ? __ldg(offsets + range.x + row + 1) - range.z : 0;
        Sum product[ROWS];
        multiply(tile, p.x, hot, product);
        number += gridDim.x;
        if (number < tileCount) {
            load(tile, number, tiles, columns, values);
        }
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
        /* Shared memory is used again. */
        __syncthreads();
    }
    finishBlock(p, dot);
}

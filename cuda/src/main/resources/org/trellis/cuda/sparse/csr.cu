/*
 * Compressed sparse rows, COOPERATING threads a row (thesis, figure 4.12): block b handles the rows from
 * b * ROWS * BLOCK_SIZE / COOPERATING on; a group of cooperating threads handles ROWS of them, BLOCK_SIZE / COOPERATING
 * apart. The sum in shared memory of the thesis has become one over shuffles. A thread loads UNROLL entries before it
 * uses the first, so that as many loads are under way.
 *
 * With INDEX_BITS = 16 columns are codes. Every GROUP_ROWS rows share a group record (start of its codes in units of 16
 * bits, shifted left by one; lowest bit set if its columns are plain 32-bit ones) and 16 bases.
 */
#include "product.cuh"

#define GROUPS (BLOCK_SIZE / COOPERATING)
#define GROUP_ROWS 64
#define GROUP_BASES 16

#if COOPERATING >= 8
/* Neighbouring threads read neighbouring entries; no line is needed twice. */
#define LOAD_ENTRY(address) loadOnce(address)
#else
/* A thread reads entries one after another; the first-level cache holds the lines meanwhile. */
#define LOAD_ENTRY(address) __ldg(address)
#endif

struct PlainColumns {
    const int* columns;

    __device__ __forceinline__ int at(Offset k) const {
        return LOAD_ENTRY(columns + k);
    }
};

struct CodedColumns {
    const Code* codes;
    const int* bases;

    __device__ __forceinline__ int at(Offset k) const {
        unsigned code = LOAD_ENTRY(codes + k);
        return __ldg(bases + (code >> CODE_SHIFT)) + int(code & CODE_MASK);
    }
};

template <typename Columns>
__device__ __forceinline__ Sum rowPart(const Columns& columns, const Value* __restrict__ values,
                                       const Value* __restrict__ x, Offset begin, Offset end, int lane) {
    Sum sum = 0;
    for (Offset k = begin + lane; k < end; k += UNROLL * COOPERATING) {
        int column[UNROLL];
        Value value[UNROLL];
        Value factor[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            Offset at = k + u * COOPERATING;
            column[u] = at < end ? columns.at(at) : -1;
            value[u] = at < end ? Value(LOAD_ENTRY(values + at)) : Value(0);
        }
        const Value* loaded = x + zeroAfter<UNROLL>(value);
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            factor[u] = column[u] >= 0 ? __ldg(loaded + column[u]) : Value(0);
        }
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            sum += Sum(value[u]) * Sum(factor[u]);
        }
    }
    return sum;
}

__device__ __forceinline__ Sum rowPart(const void* indices, const unsigned* groups, const int* bases,
                                       const Value* values, const Value* x, const Offset* offsets, long long row,
                                       int lane, bool present) {
    if (!present) {
        return 0;
    }
    Offset begin = __ldg(offsets + row);
    Offset end = __ldg(offsets + row + 1);
#if INDEX_BITS == 32
    PlainColumns columns = {(const int*) indices};
    return rowPart(columns, values, x, begin, end, lane);
#else
    long long group = row / GROUP_ROWS;
    unsigned record = __ldg(groups + group);
    Offset first = __ldg(offsets + group * GROUP_ROWS);
    const Code* codes = (const Code*) indices + (record >> 1);
    if (record & 1) {
        PlainColumns columns = {(const int*) codes - first};
        return rowPart(columns, values, x, begin, end, lane);
    }
    CodedColumns columns = {codes - first, bases + group * GROUP_BASES};
    return rowPart(columns, values, x, begin, end, lane);
#endif
}

extern "C" __global__ void __launch_bounds__(BLOCK_SIZE)
spmv(PRODUCT_PARAMETERS, int rows, const Offset* __restrict__ offsets, const void* __restrict__ indices,
     const unsigned* __restrict__ groups, const int* __restrict__ bases, const Value* __restrict__ values) {
    Product p = PRODUCT;
    int lane = threadIdx.x % COOPERATING;
    long long row = (long long) blockIdx.x * (ROWS * GROUPS) + threadIdx.x / COOPERATING;
    double dot = 0;
#pragma unroll 1
    for (int r = 0; r < ROWS; r++, row += GROUPS) {
        Sum sum = rowPart(indices, groups, bases, values, p.x, offsets, row, lane, row < rows);
        sum = sumOverGroup<COOPERATING>(sum);
        if (lane == 0 && row < rows) {
            finishRow(p, row, sum, dot);
        }
    }
    finishBlock(p, dot);
}

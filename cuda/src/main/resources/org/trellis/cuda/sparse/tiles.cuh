/* What the kernels that work on tiles of non-zeros share: a tile in shared memory, and the sums of its rows. */

#define TILE (BLOCK_SIZE * ROWS)
/* Keeps rows of equal lengths from meeting in one bank of the shared memory. */
#define SKEW(i) ((i) + ((i) >> (sizeof(Sum) == 8 ? 4 : 5)))

/* Rows of more than this many times the cooperating threads of their tile are left to whole warps. */
#define LONG_FACTOR 16
#define WARPS (BLOCK_SIZE / WARP)

/* Returns how many threads share a row of a tile: as many as there are rows for, at most a warp. */
__device__ __forceinline__ int threadsOfRow(int rows) {
    int threads = 1;
    while (threads < WARP && rows * threads * 2 <= BLOCK_SIZE) {
        threads *= 2;
    }
    return threads;
}

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

/*
 * What all product kernels share: types, loads, sums over cooperating threads, and what is done with a finished row.
 *
 * Compiled at run time with these constants:
 *   VALUE        type of the values and vectors: double or float
 *   SUM          type in which rows are summed: double or float
 *   WIDE_OFFSETS 1 if row offsets have 64 bits
 *   BLOCK_SIZE   threads of a block
 *   COOPERATING  threads that share a row, a power of two from 1 to 32
 *   ROWS         rows that a group of cooperating threads handles (CSR: one after another, SELL: together; balanced:
 *                non-zeros of a thread)
 *   UNROLL       entries of a row that a thread loads before it uses the first
 *   INDEX_BITS   16 or 32
 *   SORTED       1 if rows were moved or split and a list says where the results go
 *   FINISH       0: y = alpha sum + beta y
 *                1: the same, and the dot product w . y
 *                2: Jacobi update: y = x + alpha d (b - sum), d the inverse diagonal in w, b in z
 *                3: residual: y = z - sum
 *                4: y = alpha sum + beta y, and y . y
 *
 * Dot products are added up in double precision and in a fixed order, within the same launch: the block that comes last
 * of DOT_GROUP neighbouring ones adds up theirs, and the one that comes last of those adds up the groups, so that a
 * launch of many blocks does not end with one block that reads them all.
 */

typedef VALUE Value;
typedef SUM Sum;
#if WIDE_OFFSETS
typedef long long Offset;
#else
typedef int Offset;
#endif
typedef unsigned short Code;

#define FULL_MASK 0xffffffffu
#define WARP 32
#define DOTS (FINISH == 1 || FINISH == 4)
/* Blocks whose parts of a dot product are added up by one of them; DotSpace.GROUP. */
#define DOT_GROUP 256
/* A code of which the upper bits choose one of 16 bases and the lower ones are added to it; all ones mean padding. */
#define CODE_SHIFT 12
#define CODE_MASK 0xfffu
#define CODE_PADDING 0xffffu

/* Scalars and vectors of one product; which of them are used depends on FINISH. */
struct Product {
    double alpha;
    double beta;
    const Value* __restrict__ x;
    Value* __restrict__ y;
    const Value* __restrict__ w;
    const Value* __restrict__ z;
    /* Parts of the dot product: one a block, one a split row, one a group of blocks. */
    double* partial;
    /* Blocks that have come: of all groups, then of each group; all 0 before and after a launch. */
    unsigned* counters;
    double* result;
    int splitRows;
};

/* The first ten parameters of every kernel, and what makes a Product of them. */
#define PRODUCT_PARAMETERS double alpha, double beta, const Value* __restrict__ x, Value* __restrict__ y, \
    const Value* __restrict__ w, const Value* __restrict__ z, double* partial, unsigned* counters, double* result, \
    int splitRows
#define PRODUCT {alpha, beta, x, y, w, z, partial, counters, result, splitRows}

/* Loads of data that is used once: they leave the first-level cache to the multiplicand. */
#define LOAD_ONCE(type, constraint, target, address) \
    asm("ld.global.nc.L1::no_allocate." type " %0, [%1];" : constraint(target) : "l"(address))

__device__ __forceinline__ double loadOnce(const double* address) {
    double value;
    LOAD_ONCE("f64", "=d", value, address);
    return value;
}

__device__ __forceinline__ float loadOnce(const float* address) {
    float value;
    LOAD_ONCE("f32", "=f", value, address);
    return value;
}

__device__ __forceinline__ int loadOnce(const int* address) {
    int value;
    LOAD_ONCE("s32", "=r", value, address);
    return value;
}

__device__ __forceinline__ unsigned loadOnce(const Code* address) {
    unsigned short value;
    LOAD_ONCE("u16", "=h", value, address);
    return value;
}

__device__ __forceinline__ unsigned loadOnce(const unsigned* address) {
    unsigned value;
    LOAD_ONCE("u32", "=r", value, address);
    return value;
}

__device__ __forceinline__ unsigned long long loadOnce(const unsigned long long* address) {
    unsigned long long value;
    LOAD_ONCE("u64", "=l", value, address);
    return value;
}

__device__ __forceinline__ int someBits(double value) {
    return __double2hiint(value);
}

__device__ __forceinline__ int someBits(float value) {
    return __float_as_int(value);
}

/*
 * Returns zero, but only once the given values are loaded. Added to the addresses of the multiplicand it makes the
 * loads of values start before those that wait for columns; the compiler would put them behind, and a thread would wait
 * for memory twice. (Blocks are one-dimensional: blockDim.y is 1.)
 */
template <int count>
__device__ __forceinline__ int zeroAfter(const Value* values) {
    int bits = 0;
#pragma unroll
    for (int i = 0; i < count; i++) {
        bits |= someBits(values[i]);
    }
    return bits & int(blockDim.y - 1);
}

/* Adds up over groups of `width` neighbouring threads, always in the same order; all of them get the sum. */
template <int width, typename Number>
__device__ __forceinline__ Number sumOverGroup(Number sum) {
#pragma unroll
    for (int distance = width / 2; distance > 0; distance /= 2) {
        sum += __shfl_xor_sync(FULL_MASK, sum, distance);
    }
    return sum;
}

/* Adds up over a block, always in the same order; only thread 0 gets the sum. `scratch` has one element a warp. */
template <typename Number>
__device__ __forceinline__ Number sumOverBlock(Number sum, Number* scratch) {
    sum = sumOverGroup<WARP>(sum);
    if (threadIdx.x % WARP == 0) {
        scratch[threadIdx.x / WARP] = sum;
    }
    __syncthreads();
    if (threadIdx.x < WARP) {
        sum = threadIdx.x < BLOCK_SIZE / WARP ? scratch[threadIdx.x] : Number(0);
        sum = sumOverGroup<WARP>(sum);
    }
    return sum;
}

/* A row's part of the dot product that FINISH asks for, with the row's result. */
__device__ __forceinline__ double dotTerm(const Product& p, long long row, Value result) {
#if FINISH == 1
    return double(p.w[row]) * double(result);
#else
    return double(result) * double(result);
#endif
}

/* Does with the sum of a row what FINISH asks for; `dot` gathers this thread's part of the dot product. */
__device__ __forceinline__ void finishRow(const Product& p, long long row, Sum sum, double& dot) {
#if FINISH == 2
    p.y[row] = Value(Sum(p.x[row]) + Sum(p.alpha) * Sum(p.w[row]) * (Sum(p.z[row]) - sum));
#elif FINISH == 3
    p.y[row] = Value(Sum(p.z[row]) - sum);
#else
    Sum result = Sum(p.alpha) * sum;
    if (p.beta != 0) {
        result += Sum(p.beta) * Sum(p.y[row]);
    }
    p.y[row] = Value(result);
#if DOTS
    dot += dotTerm(p, row, Value(result));
#endif
#endif
}

#if DOTS
/* Adds up elements that other blocks have written, in a fixed order; thread 0 gets the sum. */
__device__ __forceinline__ double sumOfParts(const double* parts, int count, double sum, double* scratch) {
#pragma unroll 8
    for (int i = threadIdx.x; i < count; i += BLOCK_SIZE) {
        sum += __ldcg(parts + i);
    }
    return sumOverBlock(sum, scratch);
}

/* Publishes an element and informs all threads of the block whether it was the last one of `members`. */
__device__ __forceinline__ bool isLast(double* part, double value, unsigned* counter, unsigned members) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        *part = value;
        __threadfence();
        last = atomicInc(counter, members - 1) == members - 1;
    }
    __syncthreads();
    bool answer = last;
    __syncthreads();
    __threadfence();
    return answer;
}
#endif

/* Ends a kernel: completes the dot product if one is asked for. All threads of the block call it. */
__device__ __forceinline__ void finishBlock(const Product& p, double dot) {
#if DOTS
    __shared__ double scratch[WARP];
    unsigned groups = (gridDim.x + DOT_GROUP - 1) / DOT_GROUP;
    unsigned group = blockIdx.x / DOT_GROUP;
    unsigned first = group * DOT_GROUP;
    unsigned members = min(unsigned(DOT_GROUP), gridDim.x - first);
    double* splitSums = p.partial + gridDim.x;
    double* groupSums = splitSums + p.splitRows;
    dot = sumOverBlock(dot, scratch);
    if (!isLast(p.partial + blockIdx.x, dot, p.counters + 1 + group, members)) {
        return;
    }
    dot = sumOfParts(p.partial + first, members, 0, scratch);
    if (!isLast(groupSums + group, dot, p.counters, groups)) {
        return;
    }
    double ofThread = 0;
    for (int i = threadIdx.x; i < p.splitRows; i += BLOCK_SIZE) {
        ofThread += __ldcg(splitSums + i);
    }
    dot = sumOfParts(groupSums, groups, ofThread, scratch);
    if (threadIdx.x == 0) {
        *p.result = dot;
    }
#endif
}

/*
 * Rows in pieces, for the families that split long ones. splits[s] = (row, first piece, pieces, unused).
 */
struct Pieces {
    const int4* __restrict__ splits;
    Sum* carries;
    unsigned* arrivals;
};

/*
 * Takes in the sums of pieces. All threads of a warp call it, with piece -1 those that have none. The thread that comes
 * last with a piece of a row has its warp add up the pieces, in the order of the pieces, so that the same operands give
 * the same bits.
 */
__device__ __forceinline__ void finishPieces(const Product& p, const Pieces& pieces, int split, int piece, Sum sum) {
    bool last = false;
    if (piece >= 0) {
        pieces.carries[piece] = sum;
        __threadfence();
        last = atomicAdd(pieces.arrivals + split, 1u) == unsigned(__ldg(&pieces.splits[split].z) - 1);
    }
    unsigned waiting = __ballot_sync(FULL_MASK, last);
    while (waiting != 0) {
        int current = __shfl_sync(FULL_MASK, split, __ffs(waiting) - 1);
        waiting &= waiting - 1;
        int4 record = __ldg(pieces.splits + current);
        __threadfence();
        Sum total = 0;
        for (int i = threadIdx.x % WARP; i < record.z; i += WARP) {
            total += __ldcg(pieces.carries + record.y + i);
        }
        total = sumOverGroup<WARP>(total);
        if (threadIdx.x % WARP == 0) {
            pieces.arrivals[current] = 0;
            double dot = 0;
            finishRow(p, record.x, total, dot);
#if DOTS
            /* Which block comes last is not always the same; the row has a partial sum of its own. */
            p.partial[gridDim.x + current] = dot;
#endif
        }
    }
}

/* What the kernels that store rows in chunks share, see sell.cu. */

#define WARPS (BLOCK_SIZE / WARP)
#define PART_ROWS (WARP / COOPERATING)
#define CHUNK_ROWS (ROWS * PART_ROWS)

/* Where the stored rows of a chunk go. */
struct ChunkTargets {
    int positions;
    const int* __restrict__ targets;
    const int* __restrict__ splitOf;
    Pieces pieces;
};

#define CHUNK_PARAMETERS int positions, int chunks, const int* __restrict__ targets, \
    const int* __restrict__ splitOf, const int4* __restrict__ splits, Sum* carries, unsigned* arrivals
#define CHUNK_TARGETS {positions, targets, splitOf, {splits, carries, arrivals}}

/* Adds up what cooperating threads have and finishes the rows of a chunk. All threads of a warp call it. */
__device__ __forceinline__ void finishChunk(const Product& p, const ChunkTargets& to, int chunk, Sum* sum, double& dot) {
#pragma unroll
    for (int q = 0; q < ROWS; q++) {
        Sum total = sumOverGroup<COOPERATING>(sum[q]);
        int lane = threadIdx.x % WARP;
        long long position = (long long) chunk * CHUNK_ROWS + q * PART_ROWS + lane / COOPERATING;
        bool owner = lane % COOPERATING == 0 && position < to.positions;
#if SORTED
        int target = owner ? __ldg(to.targets + position) : 0;
        if (owner && target >= 0) {
            finishRow(p, target, total, dot);
        }
        if (__any_sync(FULL_MASK, target < 0)) {
            int piece = target < 0 ? -1 - target : -1;
            finishPieces(p, to.pieces, piece >= 0 ? __ldg(to.splitOf + piece) : 0, piece, total);
        }
#else
        if (owner) {
            finishRow(p, position, total, dot);
        }
#endif
    }
}

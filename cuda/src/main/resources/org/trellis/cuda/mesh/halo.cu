// Messages between ranks: values of chosen elements are copied out of the memory of dats into messages, which may be in
// the memory of another device, and back. Values are moved as bits, whatever their type.
//
// THREADS: threads of a block, each of which has a chunk of one part of a message.

#include "arrive.cuh"

#define OPERANDS 64

struct Operand {
    char* data;
    // Distances in components.
    int elementStride;
    int componentStride;
};

struct Chunk {
    // Where the part begins in its message, and how far on in every other exchange.
    char* message;
    // The elements of the part.
    const int* places;
    long long turnBytes;
    // Says that the message is there; null where streams wait for events instead.
    char* flag;
    // Counts the blocks of the message that are done, so that the last one raises the flag.
    unsigned* done;
    // The values that this block moves, counted from the beginning of the part.
    int from;
    int to;
    int components;
    int operand;
    // The size of a value, 4 or 8.
    int bytes;
    // Blocks that have parts of the same message.
    int blocks;
};

struct Arguments {
    const Chunk* chunks;
    // Every other exchange has messages of its own.
    int turn;
    unsigned round;
    Operand operands[OPERANDS];
};

__device__ __forceinline__ long long placeOf(const Chunk& chunk, const Operand& operand, int value) {
    const int element = value / chunk.components;
    return (long long) chunk.places[element] * operand.elementStride
            + (long long) (value - element * chunk.components) * operand.componentStride;
}

template <class T>
__device__ __forceinline__ void packChunk(const Chunk& chunk, const Operand& operand, int turn) {
    T* const message = (T*) (chunk.message + turn * chunk.turnBytes);
    for (int i = chunk.from + (int) threadIdx.x; i < chunk.to; i += THREADS) {
        message[i] = ((const T*) operand.data)[placeOf(chunk, operand, i)];
    }
}

template <class T>
__device__ __forceinline__ void unpackChunk(const Chunk& chunk, const Operand& operand, int turn) {
    const T* const message = (const T*) (chunk.message + turn * chunk.turnBytes);
    for (int i = chunk.from + (int) threadIdx.x; i < chunk.to; i += THREADS) {
        ((T*) operand.data)[placeOf(chunk, operand, i)] = __ldcg(message + i);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) trellisPack(const __grid_constant__ Arguments a) {
    const Chunk& chunk = a.chunks[blockIdx.x];
    if (chunk.bytes == 8) {
        packChunk<long long>(chunk, a.operands[chunk.operand], a.turn);
    } else {
        packChunk<int>(chunk, a.operands[chunk.operand], a.turn);
    }
    if (chunk.flag != nullptr) {
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0 && atomicInc(chunk.done, chunk.blocks - 1) == chunk.blocks - 1) {
            raiseFlag(chunk.flag, a.turn, a.round);
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) trellisUnpack(const __grid_constant__ Arguments a) {
    const Chunk& chunk = a.chunks[blockIdx.x];
    if (chunk.flag != nullptr) {
        if (threadIdx.x == 0) {
            awaitFlag(chunk.flag, a.turn, a.round);
        }
        __syncthreads();
    }
    if (chunk.bytes == 8) {
        unpackChunk<long long>(chunk, a.operands[chunk.operand], a.turn);
    } else {
        unpackChunk<int>(chunk, a.operands[chunk.operand], a.turn);
    }
}

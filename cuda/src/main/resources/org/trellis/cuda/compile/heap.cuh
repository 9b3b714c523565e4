/*
 * Sorts short rows, by one thread each, in place: a heap needs no room and no luck.
 */
#ifndef TRELLIS_HEAP
#define TRELLIS_HEAP

// Lets the value at the top of a heap sink to where it belongs.
__device__ __forceinline__ void sink(int* heap, int top, int size) {
    const int value = heap[top];
    for (int child = 2 * top + 1; child < size; child = 2 * top + 1) {
        if (child + 1 < size && heap[child + 1] > heap[child]) {
            child++;
        }
        if (heap[child] <= value) {
            break;
        }
        heap[top] = heap[child];
        top = child;
    }
    heap[top] = value;
}

// Sorts values in ascending order.
__device__ __forceinline__ void sortByHeap(int* values, int size) {
    for (int top = size / 2 - 1; top >= 0; top--) {
        sink(values, top, size);
    }
    for (int last = size - 1; last > 0; last--) {
        const int greatest = values[0];
        values[0] = values[last];
        values[last] = greatest;
        sink(values, 0, last);
    }
}
#endif

package org.trellis.common;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * A bijection of {@code 0 … size-1}, read as "the element at old index {@code i} goes to new index {@code
 * newIndex(i)}". Immutable.
 */
public final class Permutation {
    private final int[] newIndices;

    private Permutation(int[] newIndices) {
        this.newIndices = newIndices;
    }

    /**
     * Returns the permutation that moves nothing.
     *
     * @param size number of elements
     * @return the identity
     * @throws IllegalArgumentException if the size is negative
     */
    public static Permutation identity(int size) {
        int[] indices = new int[Checks.notNegative("permutation size", size)];
        Arrays.setAll(indices, i -> i);
        return new Permutation(indices);
    }

    /**
     * Creates a permutation from the new index of every old one.
     *
     * @param newIndices the new index of element {@code i} at position {@code i}; copied
     * @return the permutation
     * @throws IllegalArgumentException if the array is not a bijection; names the first offending position
     */
    public static Permutation ofNewIndices(int... newIndices) {
        return new Permutation(checked(newIndices.clone()));
    }

    /**
     * Creates a permutation from the old index that each new position takes its element from.
     *
     * @param oldIndices the old index of the element that comes to position {@code i}
     * @return the permutation
     * @throws IllegalArgumentException if the array is not a bijection; names the first offending position
     */
    public static Permutation ofOldIndices(int... oldIndices) {
        return ofNewIndices(oldIndices).inverse();
    }

    /**
     * Draws a permutation uniformly (Fisher–Yates).
     *
     * @param size   number of elements
     * @param random source of randomness
     * @return the permutation
     */
    public static Permutation random(int size, RandomGenerator random) {
        int[] indices = identity(size).newIndices;
        for (int i = size - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int kept = indices[i];
            indices[i] = indices[j];
            indices[j] = kept;
        }
        return new Permutation(indices);
    }

    private static int[] checked(int[] indices) {
        int[] positionOf = new int[indices.length];
        Arrays.fill(positionOf, -1);
        for (int i = 0; i < indices.length; i++) {
            int target = indices[i];
            if (target < 0 || target >= indices.length) {
                throw new IllegalArgumentException("permutation: entry " + i + " is " + target + ", expected 0 to "
                        + (indices.length - 1));
            }
            if (positionOf[target] >= 0) {
                throw new IllegalArgumentException("permutation: entries " + positionOf[target] + " and " + i
                        + " are both " + target + ", expected each index once");
            }
            positionOf[target] = i;
        }
        return indices;
    }

    /**
     * Returns the number of elements.
     *
     * @return the size
     */
    public int size() {
        return newIndices.length;
    }

    /**
     * Returns where an element goes.
     *
     * @param oldIndex its old index
     * @return its new index
     */
    public int newIndex(int oldIndex) {
        return newIndices[oldIndex];
    }

    /**
     * Returns the permutation that undoes this one.
     *
     * @return the inverse
     */
    public Permutation inverse() {
        int[] inverse = new int[newIndices.length];
        for (int i = 0; i < inverse.length; i++) {
            inverse[newIndices[i]] = i;
        }
        return new Permutation(inverse);
    }

    /**
     * Returns the permutation that applies this one first and another one to its result.
     *
     * @param next the permutation applied second
     * @return the composition
     * @throws IllegalArgumentException if the sizes differ
     */
    public Permutation then(Permutation next) {
        Checks.length("permutation size", next.size(), size());
        int[] composed = new int[newIndices.length];
        for (int i = 0; i < composed.length; i++) {
            composed[i] = next.newIndices[newIndices[i]];
        }
        return new Permutation(composed);
    }

    /**
     * Returns a copy of the new indices.
     *
     * @return the new index of element {@code i} at position {@code i}
     */
    public int[] toArray() {
        return newIndices.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Permutation that && Arrays.equals(newIndices, that.newIndices);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(newIndices);
    }

    @Override
    public String toString() {
        return "permutation of " + newIndices.length + " elements";
    }
}

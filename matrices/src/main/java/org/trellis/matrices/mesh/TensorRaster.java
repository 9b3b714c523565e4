package org.trellis.matrices.mesh;

/**
 * Symmetric tensors at the points of a regular grid. Arrays are not copied.
 *
 * @param dimension 2 or 3
 * @param origin    the first point; more coordinates than dimensions are left out
 * @param spacing   the distance of points along each axis
 * @param samples   points along each axis
 * @param tensors   3 numbers (plane) or 6 (space) for each point by rows of the upper triangle, the first axis running
 *                  fastest
 */
@SuppressWarnings("ArrayRecordComponent") // handed over once
public record TensorRaster(int dimension, double[] origin, double[] spacing, int[] samples, double[] tensors) {
    /**
     * Returns the numbers of a tensor.
     *
     * @return 3 or 6
     */
    public int tensorSize() {
        return dimension * (dimension + 1) / 2;
    }
}

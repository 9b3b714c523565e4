package org.trellis.matrices.generate;

/**
 * Stiffness of an elastic body clamped at one side: bilinear squares in two dimensions, trilinear cubes in three, all
 * of unit edge. The nodes at x = 0 are held and eliminated; the other sides are free. Symmetric positive definite.
 *
 * <p>With nx × ny (× nz) elements there are nx · (ny + 1) (· (nz + 1)) free nodes, numbered with x fastest, and two
 * (three) displacements a node, next to each other. With the Lamé coefficients λ = Eν/((1 + ν)(1 − 2ν)) and μ = E/(2(1
 * + ν)) the element's entry for displacement i at node a and j at node b is
 *
 * <pre>
 *   ∫ λ ∂ᵢNₐ ∂ⱼN_b + μ ∂ⱼNₐ ∂ᵢN_b + δᵢⱼ μ ∇Nₐ·∇N_b
 * </pre>
 *
 * by Gauss quadrature with two points an axis, which is exact here; in plane stress λ is replaced by 2λμ/(λ + 2μ) (T.
 * Hughes, The Finite Element Method, 2000, sections 2.7 and 3.10). Blocks are stored in full, so that an entry whose
 * contributions cancel is stored as (nearly) 0, as an assembled matrix has it.
 */
public final class LinearElasticity implements RowSource {
    private static final double GAUSS = 1 / Math.sqrt(3);

    private final int dimensions;
    private final Grid elements;
    private final Grid nodes;
    /** Block of the neighbour by boundary class of the node, then direction, then displacement of row and column. */
    private final double[] blocks;
    private final int directions;

    private LinearElasticity(int dimensions, Grid elements, double lambda, double mu) {
        this.dimensions = dimensions;
        this.elements = elements;
        this.nodes = new Grid(elements.nx(), elements.ny() + 1, dimensions == 2 ? 1 : elements.nz() + 1);
        this.directions = dimensions == 2 ? 9 : 27;
        if ((long) nodes.size() * dimensions > Integer.MAX_VALUE - 8L) {
            throw new IllegalArgumentException(
                    "elasticity" + dimensions + "d: " + nodes.size() + " nodes make more than "
                            + (Integer.MAX_VALUE - 8) + " rows, expected no more");
        }
        this.blocks = assembleBlocks(elementStiffness(dimensions, lambda, mu));
    }

    /**
     * Makes the matrix of a plate in its plane.
     *
     * @param nx          elements in x, at least 1
     * @param ny          elements in y, at least 1
     * @param youngs      modulus of elasticity E, greater than 0
     * @param poisson     transverse contraction ν, at least 0 and less than 0.5
     * @param planeStress true for a thin plate (plane stress), false for a thick one (plane strain)
     * @return a matrix of {@code 2·nx·(ny + 1)} rows, 4 (3nx − 2)(3ny + 1) non-zeros
     * @throws IllegalArgumentException if a parameter is out of range
     */
    public static LinearElasticity of2d(int nx, int ny, double youngs, double poisson, boolean planeStress) {
        checkMaterial("elasticity2d", youngs, poisson);
        double lambda = lambda(youngs, poisson);
        double mu = youngs / (2 * (1 + poisson));
        double effective = planeStress ? 2 * lambda * mu / (lambda + 2 * mu) : lambda;
        return new LinearElasticity(2, new Grid(nx, ny, 1), effective, mu);
    }

    /**
     * Makes the matrix of a solid.
     *
     * @param nx      elements in x, at least 1
     * @param ny      elements in y, at least 1
     * @param nz      elements in z, at least 1
     * @param youngs  modulus of elasticity E, greater than 0
     * @param poisson transverse contraction ν, at least 0 and less than 0.5
     * @return a matrix of {@code 3·nx·(ny + 1)·(nz + 1)} rows, 9 (3nx − 2)(3ny + 1)(3nz + 1) non-zeros
     * @throws IllegalArgumentException if a parameter is out of range
     */
    public static LinearElasticity of3d(int nx, int ny, int nz, double youngs, double poisson) {
        checkMaterial("elasticity3d", youngs, poisson);
        return new LinearElasticity(3, new Grid(nx, ny, nz), lambda(youngs, poisson), youngs / (2 * (1 + poisson)));
    }

    private static void checkMaterial(String kind, double youngs, double poisson) {
        if (!(youngs > 0) || Double.isInfinite(youngs)) {
            throw new IllegalArgumentException(kind + ": youngs is " + youngs + ", expected a finite number above 0");
        }
        if (!(poisson >= 0 && poisson < 0.5)) {
            throw new IllegalArgumentException(
                    kind + ": poisson is " + poisson + ", expected at least 0 and less than 0.5");
        }
    }

    private static double lambda(double youngs, double poisson) {
        return youngs * poisson / ((1 + poisson) * (1 - 2 * poisson));
    }

    @Override
    public int rows() {
        return nodes.size() * dimensions;
    }

    @Override
    public int columns() {
        return rows();
    }

    @Override
    public long leastNonZeros() {
        long coupled = (3L * nodes.nx() - 2) * (3L * nodes.ny() - 2) * (3L * nodes.nz() - 2);
        return coupled * dimensions * dimensions;
    }

    @Override
    public int length(int row) {
        int node = row / dimensions;
        int length = present(nodes.x(node), nodes.nx()) * present(nodes.y(node), nodes.ny());
        if (dimensions == 3) {
            length *= present(nodes.z(node), nodes.nz());
        }
        return length * dimensions;
    }

    private static int present(int index, int size) {
        return 1 + (index > 0 ? 1 : 0) + (index < size - 1 ? 1 : 0);
    }

    @Override
    public void fill(int row, RowBuffer buffer) {
        int node = row / dimensions;
        int x = nodes.x(node);
        int y = nodes.y(node);
        int z = nodes.z(node);
        int base = (boundaryClass(x, y, z) * directions * dimensions + row % dimensions) * dimensions;
        int step = dimensions * dimensions;
        for (int k = 0; k < directions; k++) {
            int nodeX = x + k % 3 - 1;
            int nodeY = y + k / 3 % 3 - 1;
            int nodeZ = dimensions == 3 ? z + k / 9 - 1 : z;
            if (nodes.contains(nodeX, nodeY, nodeZ)) {
                int column = nodes.point(nodeX, nodeY, nodeZ) * dimensions;
                for (int j = 0; j < dimensions; j++) {
                    buffer.add(column + j, blocks[base + k * step + j]);
                }
            }
        }
    }

    /** Per axis 0 at the low end, 1 inside, 2 at the high end. In x the held nodes are the low end, so 0 is not met. */
    private int boundaryClass(int x, int y, int z) {
        int classX = x == elements.nx() - 1 ? 2 : 1;
        int classY = y == 0 ? 0 : y == elements.ny() ? 2 : 1;
        int classZ = dimensions == 2 ? 1 : z == 0 ? 0 : z == elements.nz() ? 2 : 1;
        return (classZ * 3 + classY) * 3 + classX;
    }

    private double[] assembleBlocks(double[] element) {
        int size = dimensions * dimensions;
        double[] table = new double[27 * directions * size];
        for (int boundary = 0; boundary < 27; boundary++) {
            for (int k = 0; k < directions; k++) {
                addElements(element, boundary, k, table, (boundary * directions + k) * size);
            }
        }
        return table;
    }

    /** Adds to a block what the elements around a node give that hold the neighbour too. */
    private void addElements(double[] element, int boundary, int direction, double[] table, int at) {
        int corners = 1 << dimensions;
        int order = corners * dimensions;
        for (int corner = corners - 1; corner >= 0; corner--) {
            int other = neighbourCorner(corner, boundary, direction);
            for (int ij = 0; other >= 0 && ij < dimensions * dimensions; ij++) {
                int i = ij / dimensions;
                int j = ij % dimensions;
                table[at + ij] += element[(corner * dimensions + i) * order + other * dimensions + j];
            }
        }
    }

    /**
     * Of the element in which the node is a given corner, returns the corner that the neighbour is, −1 if that element
     * does not exist or does not hold it.
     */
    private int neighbourCorner(int corner, int boundary, int direction) {
        int result = 0;
        int power = 1;
        for (int axis = 0; axis < dimensions; axis++, power *= 3) {
            int side = corner >> axis & 1;
            int end = boundary / power % 3;
            int neighbour = side + direction / power % 3 - 1;
            boolean outside = (end == 0 && side == 1) || (end == 2 && side == 0);
            if (outside || neighbour < 0 || neighbour > 1) {
                return -1;
            }
            result |= neighbour << axis;
        }
        return result;
    }

    private static double[] elementStiffness(int dimensions, double lambda, double mu) {
        int corners = 1 << dimensions;
        int order = corners * dimensions;
        double[] stiffness = new double[order * order];
        double weight = 1.0 / corners;
        for (int point = 0; point < corners; point++) {
            double[][] gradients = gradients(dimensions, point);
            for (int row = 0; row < order; row++) {
                for (int column = 0; column < order; column++) {
                    double[] a = gradients[row / dimensions];
                    double[] b = gradients[column / dimensions];
                    int i = row % dimensions;
                    int j = column % dimensions;
                    double same = i == j ? dot(a, b) : 0;
                    stiffness[row * order + column] +=
                            weight * (lambda * (a[i] * b[j]) + mu * (a[j] * b[i]) + mu * same);
                }
            }
        }
        return stiffness;
    }

    /** The gradients of the shape functions of all corners of the unit cube at a quadrature point. */
    private static double[][] gradients(int dimensions, int point) {
        int corners = 1 << dimensions;
        double[][] gradients = new double[corners][dimensions];
        for (int corner = 0; corner < corners; corner++) {
            for (int direction = 0; direction < dimensions; direction++) {
                double product = 1;
                for (int axis = 0; axis < dimensions; axis++) {
                    double coordinate = ((point >> axis & 1) == 0 ? 1 - GAUSS : 1 + GAUSS) / 2;
                    boolean high = (corner >> axis & 1) == 1;
                    if (axis == direction) {
                        product *= high ? 1 : -1;
                    } else {
                        product *= high ? coordinate : 1 - coordinate;
                    }
                }
                gradients[corner][direction] = product;
            }
        }
        return gradients;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    /**
     * Returns the number of displacements at a node.
     *
     * @return 2 or 3
     */
    public int dimensions() {
        return dimensions;
    }
}

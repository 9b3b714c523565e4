package org.trellis.matrices.generate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The generators and their parameters as text. */
final class GeneratorKinds {
    static final List<GeneratorKind> ALL = all();

    private static final double INFINITY = Double.POSITIVE_INFINITY;

    private GeneratorKinds() {}

    private static List<GeneratorKind> all() {
        return List.of(poisson2d(), poisson3d(), anisotropic2d(), jump2d(), jump3d(), elasticity2d(), elasticity3d(),
                convection2d(), convection3d(), helmholtz2d(),
                helmholtz3d(), stokes2d(), stokes3d(), mixed2d(), random(), banded(), blockDiagonal(), block(),
                geometric(), rmat(), graph());
    }

    private static GeneratorKind poisson2d() {
        return new GeneratorKind("poisson2d", "Poisson equation on a rectangle, Dirichlet conditions; SPD.",
                List.of(Parameter.integer("nx", "1000", 1, "points in x"),
                        Parameter.integer("ny", "=nx", 1, "points in y"),
                        Parameter.choice("points", "points of the stencil", "5", "7", "9")),
                a -> Stencils.poisson2d(a.integer("points"), a.integer("nx"), a.integer("ny")));
    }

    private static GeneratorKind poisson3d() {
        return new GeneratorKind("poisson3d", "Poisson equation on a box, Dirichlet conditions; SPD.",
                List.of(Parameter.integer("nx", "100", 1, "points in x"),
                        Parameter.integer("ny", "=nx", 1, "points in y"),
                        Parameter.integer("nz", "=nx", 1, "points in z"),
                        Parameter.choice("points", "points of the stencil", "7", "27")),
                a -> Stencils.poisson3d(a.integer("points"), a.integer("nx"), a.integer("ny"), a.integer("nz")));
    }

    private static GeneratorKind anisotropic2d() {
        return new GeneratorKind("anisotropic2d",
                "Diffusion on a rectangle, strong along an angle and weak across it, bilinear finite elements; SPD.",
                List.of(Parameter.integer("nx", "1000", 1, "points in x"),
                        Parameter.integer("ny", "=nx", 1, "points in y"),
                        Parameter.real("epsilon", "0.001", Double.MIN_NORMAL, INFINITY,
                                "diffusion across the angle; along it it is 1"),
                        Parameter.real("angle", "30", -INFINITY, INFINITY, "degrees, anticlockwise from the x axis")),
                a -> Stencils.anisotropic2d(a.integer("nx"), a.integer("ny"), a.real("epsilon"), a.real("angle")));
    }

    private static GeneratorKind jump2d() {
        List<Parameter> parameters = new ArrayList<>(List.of(Parameter.integer("nx", "1000", 1, "cells in x"),
                Parameter.integer("ny", "=nx", 1, "cells in y")));
        parameters.addAll(jumpParameters());
        return new GeneratorKind("jump2d",
                "Diffusion on a rectangle with a coefficient that jumps, finite volumes of 5 points; SPD.", parameters,
                a -> JumpDiffusion.of2d(a.integer("nx"), a.integer("ny"), coefficient(a)));
    }

    private static GeneratorKind jump3d() {
        List<Parameter> parameters = new ArrayList<>(List.of(Parameter.integer("nx", "100", 1, "cells in x"),
                Parameter.integer("ny", "=nx", 1, "cells in y"), Parameter.integer("nz", "=nx", 1, "cells in z")));
        parameters.addAll(jumpParameters());
        return new GeneratorKind("jump3d",
                "Diffusion in a box with a coefficient that jumps, finite volumes of 7 points; SPD.", parameters,
                a -> JumpDiffusion.of3d(a.integer("nx"), a.integer("ny"), a.integer("nz"), coefficient(a)));
    }

    private static List<Parameter> jumpParameters() {
        return List.of(
                Parameter.choice("field", "how the coefficient is distributed", "checkerboard", "inclusions"),
                Parameter.real("contrast", "1e6", Double.MIN_NORMAL, INFINITY, "the other coefficient beside 1"),
                Parameter.integer("block", "8", 1, "edge of a block of one coefficient, in cells"),
                Parameter.real("share", "0.2", 0, 1, "share of blocks of the other coefficient, for inclusions"),
                Parameter.seed());
    }

    private static JumpDiffusion.Coefficient coefficient(Arguments a) {
        return new JumpDiffusion.Coefficient(a.choice("field", JumpDiffusion.Field.class), a.real("contrast"),
                a.integer("block"), a.real("share"), a.seed("seed"));
    }

    private static GeneratorKind elasticity2d() {
        return new GeneratorKind("elasticity2d",
                "Linear elasticity of a plate clamped at one side, bilinear squares, 2 displacements a node; SPD.",
                List.of(Parameter.integer("nx", "300", 1, "elements in x"),
                        Parameter.integer("ny", "=nx", 1, "elements in y"), youngs(), poissonRatio(),
                        Parameter.choice("plane", "state of the plate", "strain", "stress")),
                a -> LinearElasticity.of2d(a.integer("nx"), a.integer("ny"), a.real("youngs"), a.real("poisson"),
                        a.text("plane").equals("stress")));
    }

    private static GeneratorKind elasticity3d() {
        return new GeneratorKind("elasticity3d",
                "Linear elasticity of a solid clamped at one side, trilinear cubes, 3 displacements a node; SPD.",
                List.of(Parameter.integer("nx", "30", 1, "elements in x"),
                        Parameter.integer("ny", "=nx", 1, "elements in y"),
                        Parameter.integer("nz", "=nx", 1, "elements in z"), youngs(), poissonRatio()),
                a -> LinearElasticity.of3d(a.integer("nx"), a.integer("ny"), a.integer("nz"), a.real("youngs"),
                        a.real("poisson")));
    }

    private static Parameter youngs() {
        return Parameter.real("youngs", "1", Double.MIN_NORMAL, INFINITY, "modulus of elasticity E");
    }

    private static Parameter poissonRatio() {
        return Parameter.real("poisson", "0.3", 0, 0.4999999, "transverse contraction");
    }

    private static Parameter values(ValueRule... rules) {
        String[] names = Arrays.stream(rules).map(rule -> rule.name().toLowerCase(Locale.ROOT))
                .toArray(String[]::new);
        return Parameter.choice("values",
                "uniform in (-1, 1); 1 everywhere; or uniform with a dominant diagonal", names);
    }

    private static GeneratorKind random() {
        return new GeneratorKind("random", "Random columns, row lengths of a given distribution.",
                List.of(Parameter.integer("rows", "100000", 0, "rows"),
                        Parameter.integer("columns", "=rows", 0, "columns"),
                        Parameter.choice("lengths", "distribution of the row lengths", "constant", "normal", "power",
                                "huge"),
                        Parameter.real("mean", "16", 0, Integer.MAX_VALUE - 8.0,
                                "mean length; for constant and huge rounded; length of the short rows for huge"),
                        Parameter.real("deviation", "4", 0, Integer.MAX_VALUE - 8.0,
                                "standard deviation of the lengths, for normal"),
                        Parameter.real("exponent", "2", 0, 100, "P(l) ~ l^-exponent, for power"),
                        Parameter.integer("max", "1000", 1, 10_000_000, "longest length, for power"),
                        Parameter.integer("hugeRows", "1", 0, "number of long rows, for huge"),
                        Parameter.integer("hugeLength", "100000", 0, "length of the long rows, for huge"),
                        Parameter.integer("window", "0", 0,
                                "columns are drawn from so many around the diagonal; 0 for all"),
                        Parameter.real("far", "0", 0, 1, "share of the columns that are drawn outside the window"),
                        Parameter.choice("diagonal", "whether each row has a diagonal entry", "no", "yes"),
                        values(ValueRule.UNIFORM, ValueRule.ONES, ValueRule.DOMINANT), Parameter.seed()),
                a -> new RandomMatrix(a.integer("rows"), a.integer("columns"), lengths(a),
                        new RandomMatrix.Locality(a.integer("window"), a.real("far"), a.yes("diagonal")),
                        a.choice("values", ValueRule.class), a.seed("seed")));
    }

    private static RowLengths lengths(Arguments a) {
        int mean = (int) Math.rint(a.real("mean"));
        return switch (a.text("lengths")) {
            case "normal" -> new RowLengths.Normal(a.real("mean"), a.real("deviation"));
            case "power" -> RowLengths.PowerLaw.of(a.real("exponent"), a.integer("max"));
            case "huge" -> new RowLengths.Huge(mean, a.integer("hugeRows"), a.integer("hugeLength"));
            default -> new RowLengths.Constant(mean);
        };
    }

    private static GeneratorKind banded() {
        return new GeneratorKind("banded",
                "Entries within a band around the diagonal; SPD with dominant values if lower = upper.",
                List.of(Parameter.integer("n", "100000", 0, "rows and columns"),
                        Parameter.integer("lower", "8", 0, "diagonals below the main one"),
                        Parameter.integer("upper", "=lower", 0, "diagonals above the main one"),
                        Parameter.real("density", "1", 0, 1, "share of the band that has entries"),
                        values(ValueRule.DOMINANT, ValueRule.UNIFORM, ValueRule.ONES), Parameter.seed()),
                a -> new BandedMatrix(a.integer("n"), a.integer("lower"), a.integer("upper"), a.real("density"),
                        a.choice("values", ValueRule.class), a.seed("seed")));
    }

    private static GeneratorKind blockDiagonal() {
        return new GeneratorKind("blockdiagonal", "Dense blocks on the diagonal; symmetric, SPD with dominant values.",
                List.of(Parameter.integer("blockRows", "20000", 0, "number of blocks"),
                        Parameter.integer("block", "6", 1, "rows and columns of a block"),
                        values(ValueRule.DOMINANT, ValueRule.UNIFORM, ValueRule.ONES), Parameter.seed()),
                a -> BlockMatrix.diagonal(a.integer("blockRows"), a.integer("block"),
                        a.choice("values", ValueRule.class), a.seed("seed")));
    }

    private static GeneratorKind block() {
        return new GeneratorKind("block",
                "Dense blocks at the places of a random symmetric pattern; symmetric, SPD with dominant values.",
                List.of(Parameter.integer("blockRows", "20000", 0, "number of block rows"),
                        Parameter.integer("block", "6", 1, "rows and columns of a block"),
                        Parameter.integer("neighbours", "8", 0,
                                "blocks of a block row beside the diagonal, on average"),
                        Parameter.integer("window", "0", 0, "they are drawn from so many block columns; 0 for all"),
                        values(ValueRule.DOMINANT, ValueRule.UNIFORM, ValueRule.ONES), Parameter.seed()),
                a -> BlockMatrix.random(a.integer("blockRows"), a.integer("block"), a.integer("neighbours"),
                        a.integer("window"), a.choice("values", ValueRule.class), a.seed("seed")));
    }

    private static GeneratorKind geometric() {
        return new GeneratorKind("geometric",
                "Random geometric graph: points in a square or cube, near ones are neighbours; SPD as a Laplacian.",
                List.of(Parameter.integer("points", "100000", 0, "points"),
                        Parameter.choice("dimensions", "2 for the unit square, 3 for the unit cube", "2", "3"),
                        Parameter.real("mean", "12", 0, Integer.MAX_VALUE,
                                "neighbours of a point far from the boundary, on average"),
                        Parameter.choice("shuffle", "number the points at random, not by their places", "no", "yes"),
                        Parameter.choice("values",
                                "the Laplacian plus the identity; or as for other random patterns, see below",
                                "laplacian", "dominant", "uniform", "ones"),
                        Parameter.seed()),
                a -> new GeometricGraph(a.integer("points"), a.integer("dimensions"), a.real("mean"), a.yes("shuffle"),
                        a.choice("values", GeometricGraph.Weights.class), a.seed("seed")));
    }

    private static GeneratorKind rmat() {
        return new GeneratorKind("rmat", "Recursive-matrix (Kronecker) graph; entries are numbers of edges.",
                List.of(Parameter.integer("scale", "16", 0, 30, "binary logarithm of the number of vertices"),
                        Parameter.real("edgeFactor", "16", 0, Integer.MAX_VALUE, "edges drawn per vertex"),
                        Parameter.real("a", "0.57", 0, 1, "probability of the upper left quadrant"),
                        Parameter.real("b", "0.19", 0, 1, "probability of the upper right quadrant"),
                        Parameter.real("c", "0.19", 0, 1,
                                "probability of the lower left quadrant; the last has the rest"),
                        Parameter.choice("symmetric", "store each edge in both directions", "no", "yes"),
                        Parameter.choice("duplicates", "add up equal edges, or count them once", "sum", "drop"),
                        Parameter.choice("loops", "keep edges from a vertex to itself", "yes", "no"),
                        Parameter.choice("shuffle", "renumber the vertices at random", "yes", "no"), Parameter.seed()),
                a -> new RMatGraph(a.integer("scale"), a.real("edgeFactor"),
                        new RMatGraph.Quadrants(a.real("a"), a.real("b"), a.real("c")),
                        new RMatGraph.Options(a.yes("symmetric"), a.text("duplicates").equals("sum"), a.yes("loops"),
                                a.yes("shuffle")),
                        a.seed("seed")));
    }

    private static GeneratorKind convection2d() {
        List<Parameter> parameters = new ArrayList<>(List.of(Parameter.integer("nx", "300", 1, "cells in x"),
                Parameter.integer("ny", "=nx", 1, "cells in y")));
        parameters.addAll(flowParameters());
        return new GeneratorKind("convection2d",
                "Convection and diffusion on the unit square, finite volumes of 5 points, grids that may be stretched; "
                        + "not symmetric.",
                parameters, a -> ConvectionDiffusion.of2d(a.integer("nx"), a.integer("ny"), lines(a), flow(a, 0)));
    }

    private static GeneratorKind convection3d() {
        List<Parameter> parameters = new ArrayList<>(List.of(Parameter.integer("nx", "60", 1, "cells in x"),
                Parameter.integer("ny", "=nx", 1, "cells in y"), Parameter.integer("nz", "=nx", 1, "cells in z"),
                Parameter.real("elevation", "20", -INFINITY, INFINITY, "degrees of a constant wind towards z")));
        parameters.addAll(flowParameters());
        return new GeneratorKind("convection3d",
                "Convection and diffusion in the unit cube, finite volumes of 7 points, grids that may be stretched; "
                        + "not symmetric.",
                parameters, a -> ConvectionDiffusion.of3d(a.integer("nx"), a.integer("ny"), a.integer("nz"), lines(a),
                        flow(a, a.real("elevation"))));
    }

    private static List<Parameter> flowParameters() {
        return List.of(
                Parameter.choice("wind", "the field: see `ConvectionDiffusion.Wind`", "vortex", "constant", "shear",
                        "none"),
                Parameter.real("angle", "30", -INFINITY, INFINITY,
                        "degrees of a constant wind, anticlockwise from the x axis"),
                Parameter.real("epsilon", "0.01", Double.MIN_NORMAL, INFINITY, "diffusion beside a wind of about 1"),
                Parameter.choice("scheme", "how convection is discretised", "upwind", "central", "exponential"),
                Parameter.choice("grid", "how widths of cells are distributed", "uniform", "stretched", "perturbed"),
                Parameter.real("ratio", "10", 1, INFINITY, "between the greatest and the least width"),
                Parameter.seed());
    }

    private static GridLines lines(Arguments a) {
        return new GridLines(a.choice("grid", GridLines.Spacing.class), a.real("ratio"), a.seed("seed"));
    }

    private static ConvectionDiffusion.Flow flow(Arguments a, double elevation) {
        return new ConvectionDiffusion.Flow(a.choice("wind", ConvectionDiffusion.Wind.class), a.real("angle"),
                elevation, a.real("epsilon"), a.choice("scheme", ConvectionDiffusion.Scheme.class));
    }

    private static Parameter wavelength() {
        return Parameter.real("wavelength", "12", Double.MIN_NORMAL, INFINITY, "in distances between points");
    }

    private static GeneratorKind helmholtz2d() {
        return new GeneratorKind("helmholtz2d",
                "Helmholtz equation on a rectangle, 5 points, Dirichlet conditions; symmetric indefinite.",
                List.of(Parameter.integer("nx", "300", 1, "points in x"),
                        Parameter.integer("ny", "=nx", 1, "points in y"), wavelength()),
                a -> Stencils.helmholtz2d(a.integer("nx"), a.integer("ny"), a.real("wavelength")));
    }

    private static GeneratorKind helmholtz3d() {
        return new GeneratorKind("helmholtz3d",
                "Helmholtz equation in a box, 7 points, Dirichlet conditions; symmetric indefinite.",
                List.of(Parameter.integer("nx", "60", 1, "points in x"),
                        Parameter.integer("ny", "=nx", 1, "points in y"),
                        Parameter.integer("nz", "=nx", 1, "points in z"), wavelength()),
                a -> Stencils.helmholtz3d(a.integer("nx"), a.integer("ny"), a.integer("nz"), a.real("wavelength")));
    }

    private static Parameter viscosity() {
        return Parameter.real("viscosity", "1", Double.MIN_NORMAL, INFINITY, "of the fluid");
    }

    private static Parameter compressibility() {
        return Parameter.real("compressibility", "0", 0, INFINITY,
                "minus it is the diagonal of the pressures; 0 leaves constant pressures without effect");
    }

    private static GeneratorKind stokes2d() {
        return new GeneratorKind("stokes2d",
                "Stokes flow in a rectangle, marker and cell, velocities before pressures; symmetric saddle point.",
                List.of(Parameter.integer("nx", "100", 2, "cells in x"),
                        Parameter.integer("ny", "=nx", 2, "cells in y"), viscosity(), compressibility()),
                a -> StokesFlow.of2d(a.integer("nx"), a.integer("ny"), a.real("viscosity"),
                        a.real("compressibility")));
    }

    private static GeneratorKind stokes3d() {
        return new GeneratorKind("stokes3d",
                "Stokes flow in a box, marker and cell, velocities before pressures; symmetric saddle point.",
                List.of(Parameter.integer("nx", "20", 2, "cells in x"),
                        Parameter.integer("ny", "=nx", 2, "cells in y"),
                        Parameter.integer("nz", "=nx", 2, "cells in z"), viscosity(), compressibility()),
                a -> StokesFlow.of3d(a.integer("nx"), a.integer("ny"), a.integer("nz"), a.real("viscosity"),
                        a.real("compressibility")));
    }

    private static GeneratorKind mixed2d() {
        return new GeneratorKind("mixed2d",
                "Diffusion in mixed form on a rectangle, fluxes through edges before pressures in cells; symmetric "
                        + "saddle point.",
                List.of(Parameter.integer("nx", "100", 1, "cells in x"),
                        Parameter.integer("ny", "=nx", 1, "cells in y")),
                a -> new MixedDiffusion(a.integer("nx"), a.integer("ny")));
    }

    private static GeneratorKind graph() {
        return new GeneratorKind("graph",
                "Graphs of textbooks as Laplacian or adjacency matrix; a Laplacian is positive semidefinite, with a "
                        + "shift above 0 SPD.",
                List.of(Parameter.choice("model", "which graph: see `GraphModel.Model`", "smallworld", "ring", "path",
                        "star", "preferential", "random"),
                        Parameter.integer("vertices", "10000", 0, "vertices"),
                        Parameter.integer("degree", "6", 2,
                                "even: neighbours of a vertex, exactly or on average; not used for path and star"),
                        Parameter.real("rewire", "0.1", 0, 1, "share of edges of a small world that go elsewhere"),
                        Parameter.choice("form", "what the matrix is", "combinatorial", "normalised", "signless",
                                "adjacency"),
                        Parameter.real("shift", "0", -INFINITY, INFINITY, "added to the diagonal"), Parameter.seed()),
                a -> new GraphModel(a.choice("model", GraphModel.Model.class), a.integer("vertices"),
                        a.integer("degree"), a.real("rewire"), a.choice("form", GraphModel.Form.class),
                        a.real("shift"), a.seed("seed")));
    }
}

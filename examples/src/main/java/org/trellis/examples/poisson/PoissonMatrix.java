package org.trellis.examples.poisson;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import org.trellis.mesh.AssemblyPattern;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.assembly.AssembledMatrices;
import org.trellis.solve.assembled.AssembledSystem;
import org.trellis.sparse.CsrMatrix;

/** The matrix of a level, assembled by loops: an edge gives two rows and columns, a node its diagonal element. */
final class PoissonMatrix {
    private final AssemblyPattern pattern;
    private final Dat values;
    private final LoopSequence assembly;

    /**
     * Finds the entries.
     *
     * @param level the level
     */
    PoissonMatrix(PoissonLevel level) {
        this(level, "matrix of level " + level.index());
    }

    /**
     * Finds the entries.
     *
     * @param level the level
     * @param name  of the matrix, another one than those of the level's mesh
     */
    PoissonMatrix(PoissonLevel level, String name) {
        Mesh mesh = level.mesh();
        pattern = AssemblyPattern.of(name, List.of(new AssemblyPattern.Coupling(level.edgeNodes(), level.edgeNodes()),
                new AssemblyPattern.Coupling(level.nodeItself(), level.nodeItself())));
        values = pattern.values("values of " + name, level.precision());
        assembly = mesh.sequence("assembly of " + name)
                .run(mesh.loop(PoissonLoops.CLEAR, pattern.entries(), values))
                .run(mesh.loop(PoissonLoops.ASSEMBLE_EDGE, level.edges(), level.coupling(),
                        values.at(pattern.positions(0))))
                .run(mesh.loop(PoissonLoops.ASSEMBLE_NODE, level.nodes(), level.shift(),
                        values.at(pattern.positions(1), 0)))
                .build();
    }

    /** Assembles the values for the coefficients of now, and returns their system, which the caller closes. */
    @MustBeClosed
    AssembledSystem system() {
        assembly.run();
        return AssembledSystem.of(pattern, values);
    }

    /** Assembles the values for the coefficients of now again. */
    void refill(AssembledSystem system) {
        assembly.run();
        system.refill();
    }

    /** Assembles the values, on one rank, and returns the matrix with values of its own. */
    CsrMatrix assemble() {
        assembly.run();
        return AssembledMatrices.copy(pattern, values);
    }
}

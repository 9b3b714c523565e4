package org.trellis.internal.reference;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Optional;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.mesh.ChainLoop;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.PreparedChain;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.HostStorage;
import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.device.ScalarType;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.mesh.loop.TileProposal;
import org.trellis.mesh.loop.Tiling;
import org.trellis.mesh.tile.TilePlans;

/** Loops that call the user's method for one element after the other. The definition of the answer. */
final class ReferenceLoopKernels implements LoopKernels {
    private static final LoopParameters ONLY = LoopParameters.of(LoopScheme.IN_ORDER);

    private final ReferenceLock turn;

    ReferenceLoopKernels(ReferenceLock turn) {
        this.turn = turn;
    }

    @Override
    @MustBeClosed
    public DatStorage allocate(ScalarType type, int length) {
        return HostStorage.zeros(type, length);
    }

    @Override
    public LoopParameters rule(LoopDeclaration loop) {
        return ONLY;
    }

    @Override
    public List<LoopParameters> parameterSpace(LoopDeclaration loop) {
        return List.of(ONLY);
    }

    @Override
    public Optional<String> constraint(LoopDeclaration loop, LoopParameters parameters) {
        return parameters.withBlockSize(ONLY.blockSize()).equals(ONLY)
                ? Optional.empty()
                : Optional.of("parameters are '" + parameters + "', expected '" + ONLY + "' with any block size");
    }

    @Override
    public Optional<LoopParameters> fused(List<LoopDeclaration> loops, List<LoopParameters> parameters,
            LoopDeclaration whole) {
        return Optional.of(ONLY);
    }

    @Override
    public List<Tiling> tilings() {
        return List.of(Tiling.values());
    }

    @Override
    public TileProposal tiles(List<ChainLoop> loops, Tiling tiling) {
        return TilePlans.propose(loops, tiling, 1);
    }

    @Override
    @MustBeClosed
    public PreparedChain chain(List<ChainLoop> loops, Tiling tiling, int tileSize) {
        return new ReferenceTiles(loops, TilePlans.of(loops, tiling, tileSize, 1), turn);
    }

    @Override
    @MustBeClosed
    public PreparedLoop prepare(LoopDeclaration loop, LoopParameters parameters) {
        constraint(loop, parameters).ifPresent(reason -> {
            throw new UnsupportedKernelException(loop.toString(), ReferenceBackendProvider.NAME, reason);
        });
        return new ReferenceLoop(loop, turn);
    }
}

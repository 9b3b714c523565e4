package org.trellis.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.PreparedStep;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.HostStorage;
import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.device.PreparedRepetition;
import org.trellis.mesh.device.PreparedSequence;
import org.trellis.mesh.device.ScalarType;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.TileProposal;
import org.trellis.mesh.loop.Tiling;

/**
 * The parallel loops of a backend. Implemented by each backend under a name with this stem, and tested by one contract
 * test against {@code reference}.
 */
public interface LoopKernels {
    /**
     * Makes the memory of a dat.
     *
     * @param type   the type of its values
     * @param length how many
     * @return storage full of zeros, closed by the mesh
     */
    @MustBeClosed
    DatStorage allocate(ScalarType type, int length);

    /**
     * Makes the memory of a dat of a vector's. This one is for vectors on the host.
     *
     * @param vector a vector of the backend, or a part of one on a device
     * @return storage that shares the vector's memory; closing it does nothing
     */
    default DatStorage wrap(DenseVector vector) {
        return HostStorage.on((HostVector) vector);
    }

    /**
     * Proposes parameters for a loop. Takes constant time.
     *
     * @param loop the loop
     * @return parameters that {@link #constraint} accepts
     */
    LoopParameters rule(LoopDeclaration loop);

    /**
     * Lists the parameters worth trying for a loop.
     *
     * @param loop the loop
     * @return parameters that {@link #constraint} accepts, {@link #rule}'s among them, without repetition
     */
    List<LoopParameters> parameterSpace(LoopDeclaration loop);

    /**
     * Says why a loop cannot be run with given parameters.
     *
     * @param loop       the loop
     * @param parameters the parameters
     * @return the reason and what would work, or empty if it can
     */
    Optional<String> constraint(LoopDeclaration loop, LoopParameters parameters);

    /**
     * Takes notice of a loop that has been declared, and that will probably be prepared soon: what takes long and needs
     * nothing but the declaration, such as compiling, may begin on other threads. Does nothing unless overridden.
     *
     * @param loop       the loop
     * @param parameters how it will probably be run
     */
    default void expect(LoopDeclaration loop, LoopParameters parameters) {}

    /**
     * Prepares a loop: makes or finds its plan and its code. Whatever depends on layouts and numberings is bound here;
     * the mesh prepares anew when they change.
     *
     * @param loop       the loop; its dats have storage from {@link #allocate}
     * @param parameters how to run it
     * @return the loop, closed by the mesh
     * @throws UnsupportedKernelException if {@link #constraint} has an objection
     */
    @MustBeClosed
    PreparedLoop prepare(LoopDeclaration loop, LoopParameters parameters);

    /**
     * Fits parameters that {@link #rule} proposed to the code that they lead to: registers and shared memory are known
     * only once it has been compiled. Asked when a loop is prepared whose parameters are not set.
     *
     * @param loop     the loop
     * @param proposed what {@link #rule} proposes
     * @return parameters that {@link #constraint} accepts; the same unless overridden
     */
    default LoopParameters refine(LoopDeclaration loop, LoopParameters proposed) {
        return proposed;
    }

    /**
     * Says how loops that have been put together run as one, with the bits that they give one after the other: their
     * sums are in the same blocks and elements that add through maps in the same order. On a device, whose loops give
     * other bits anyway, that it can.
     *
     * @param loops      the loops, over one set, in the order in which they would run; none reads through a map what
     *                   another writes
     * @param parameters how each is run by itself
     * @param whole      all of them as one, whose kernel is a {@link org.trellis.kernel.FusedKernel}
     * @return parameters that {@link #constraint} accepts for the whole; empty, as it is unless overridden, if they are
     *         to run one after the other
     */
    default Optional<LoopParameters> fused(List<LoopDeclaration> loops, List<LoopParameters> parameters,
            LoopDeclaration whole) {
        return Optional.empty();
    }

    /**
     * Joins prepared steps, so that a device is given all of them at once. Only called with steps of this backend
     * that are open: loops of {@link #prepare}, products and the like; one may occur several times.
     *
     * @param steps the steps, in the order in which they run
     * @return the joined steps, closed by the mesh; empty, as it is unless overridden, if steps are to be run one after
     *         the other
     */
    default Optional<PreparedSequence> join(List<PreparedStep> steps) {
        return Optional.empty();
    }

    /**
     * Lists the variants in which this backend cuts chains of loops into tiles.
     *
     * @return {@link Tiling#NONE} and others; only that unless overridden
     */
    default List<Tiling> tilings() {
        return List.of(Tiling.NONE);
    }

    /**
     * Proposes sizes of tiles for a chain of loops, or says that tiles do not pay.
     *
     * @param loops  the loops in the order in which they run
     * @param tiling one of {@link #tilings} that has tiles
     * @return sizes worth trying
     */
    default TileProposal tiles(List<ChainLoop> loops, Tiling tiling) {
        return new TileProposal(List.of(), "the backend has no tiles");
    }

    /**
     * Prepares a chain of loops to run in tiles. No loop of it reads a global or scalars that another one reduces into.
     *
     * @param loops    the loops in the order in which they run; one may occur several times
     * @param tiling   one of {@link #tilings} that has tiles
     * @param tileSize elements of a tile, of the set with most data; at least 1
     * @return the chain, closed by the mesh
     * @throws UnsupportedKernelException unless overridden
     */
    @MustBeClosed
    default PreparedChain chain(List<ChainLoop> loops, Tiling tiling, int tileSize) {
        throw new UnsupportedKernelException(loops.size() + " loops in tiles", "of the loops",
                "chains run loop by loop here");
    }

    /**
     * Says whether a device can run steps again and again by itself, see {@link #repeat}.
     *
     * @return false unless overridden
     */
    default boolean repeats() {
        return false;
    }

    /**
     * Has a device run prepared steps again and again until scalars are out of their bounds. Only called with steps of
     * this backend that are open, if it {@link #repeats}.
     *
     * @param steps the steps of a round, in the order in which they run
     * @param watch what is recorded after a round, and what has to hold for another one
     * @param most  the most rounds of one run
     * @return the repetition, closed by the mesh; empty, as it is unless overridden, if some of the steps cannot be
     *         repeated without the host
     */
    default Optional<PreparedRepetition> repeat(List<PreparedStep> steps, StopCondition watch, int most) {
        return Optional.empty();
    }
}

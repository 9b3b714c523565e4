package org.trellis.mesh;

import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * Stands before the steps of a mesh: lets each of them run or not, and sees what the program reads and writes between
 * them. Checkpoints are one. A mesh gets it by {@link MeshOptions#withCheckpoints}; without one, steps cost nothing
 * more. Called by the thread that uses the mesh.
 *
 * <p>What a gate does to data itself, is not reported here: it keeps that apart.
 */
public interface StepInterceptor extends AutoCloseable {
    /** Sets and maps are about to be let go, or a loop to be prepared. Called often; only the first call counts. */
    void opening();

    /**
     * A step is about to run.
     *
     * @param step the step, with the arguments that are bound to it now
     * @return false if it is not to run; otherwise {@link #leave} follows when it has been submitted
     */
    boolean enter(Step step);

    /**
     * Says whether the next steps are not going to run, since the program has started again and is not yet where it
     * was. Data are brought to where they were when it is.
     *
     * @return true if {@link #enter} returns false for the next loop
     */
    boolean skips();

    /** The step that was let through has been submitted. */
    void leave();

    /**
     * Several steps are about to be run as one.
     *
     * @param steps     the steps in order
     * @param separable whether they give the same bits if each is run by itself
     * @return true if they are to run so; then {@link #enter} is not called for them, but {@link #leave} is. False if
     *         each is to be run by itself
     */
    boolean enterAll(List<Step> steps, boolean separable);

    /**
     * Several steps are about to be run one by one, between which the program does nothing.
     *
     * @param steps the steps in order, the same list each time that they are run
     * @return true if they need not ask for themselves: they have been noted, and neither {@link #enter} nor
     *         {@link #leave} is called for them
     */
    boolean passes(List<Step> steps);

    /**
     * The program is about to read all values of a dat.
     *
     * @param dat the dat
     */
    void reading(Dat dat);

    /**
     * The program is about to read one value of a dat.
     *
     * @param dat       the dat
     * @param element   the user's number of the element
     * @param component the component
     */
    void reading(Dat dat, int element, int component);

    /**
     * The program is about to read a global.
     *
     * @param global the global
     */
    void reading(Global global);

    /**
     * The program is about to read scalars.
     *
     * @param scalars the scalars
     */
    void reading(Scalars scalars);

    /**
     * The program is about to overwrite values of a dat.
     *
     * @param dat   the dat
     * @param whole whether all of them
     * @param hash  says what with
     */
    void writing(Dat dat, boolean whole, long hash);

    /**
     * The program is about to do something that goes past the gate.
     *
     * @param what what, for the message
     * @throws IllegalStateException always
     */
    void bypass(String what);

    /**
     * The program is about to change numberings or sizes of sets.
     *
     * @param what what, for the message
     * @throws IllegalStateException if steps have been run
     */
    void restructuring(String what);

    /**
     * A solver begins to work on data of the mesh, with vectors on a mesh of its own. Until it is dismissed, runs of
     * sequences of that mesh are steps, and what the program reads of its data it reads here.
     *
     * @param guest the solver's mesh
     * @param name  the method
     */
    void admit(Mesh guest, String name);

    /**
     * The solver is done: what its mesh has is not going to be read before it is overwritten.
     *
     * @param guest the solver's mesh
     */
    void dismiss(Mesh guest);

    /**
     * All values of a dat are about to be overwritten by work within a step, which they belong to.
     *
     * @param dat the dat
     */
    void overwriting(Dat dat);

    /**
     * The values of a dat are about to move within its memory, since it gets another layout; they stay what they are.
     *
     * @param dat the dat
     */
    void moving(Dat dat);

    /**
     * A solver asks for a number that has to be computed from vectors.
     *
     * @param what  the same for the same number
     * @param value computes it
     * @param data  what it is computed from
     * @return the number, or that of the run before
     */
    double number(String what, DoubleSupplier value, List<Dat> data);

    /** The mesh is about to be closed; nothing follows. */
    @Override
    void close();
}

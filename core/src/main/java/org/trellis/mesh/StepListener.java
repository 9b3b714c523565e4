package org.trellis.mesh;

/**
 * Receives every step of a mesh, in the order in which steps take effect: of loops that run alone and of all steps of
 * sequences. Made for timing, traffic, checkpoints and the like. A listener must not run steps itself.
 */
@FunctionalInterface
public interface StepListener {
    /**
     * A step is about to be submitted, alone or as part of what a device is given at once. Data are as the steps before
     * have left them; looking at them waits for a device.
     *
     * @param step the step
     */
    void submitting(Step step);
}

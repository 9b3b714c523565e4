package org.trellis.backend;

/**
 * Timing on a device that works asynchronously. A backend whose kernels return before they are done has it among its
 * kernel interfaces; a backend without it is done when its calls return.
 */
public interface DeviceTiming {
    /**
     * Waits until everything that was asked of the backend so far is done.
     *
     * @throws org.trellis.common.DeviceException if some of it failed
     */
    void synchronize();

    /**
     * Runs some work several times and measures it on the device's own clock. The device is kept busy while the work
     * is queued, so that what is measured is the device's time and not the time to hand the work over. Short work is
     * run a few times in each repetition, which is then the mean of these; some runs come before those that count.
     *
     * @param repetitions how many times, at least 1
     * @param work        calls of this backend that do not wait for the device
     * @return seconds of each repetition, in order
     * @throws IllegalArgumentException           if {@code repetitions} is less than 1
     * @throws org.trellis.common.DeviceException if the work failed on the device
     */
    double[] time(int repetitions, Runnable work);

    /**
     * Measures the bandwidth of a copy within the device's memory. Takes a fraction of a second.
     *
     * @return bytes read plus bytes written in a second, the median of several copies of a buffer far larger than the
     *         device's caches
     */
    double copyBandwidth();
}

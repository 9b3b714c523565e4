package org.trellis.examples.tsunami;

import org.trellis.kernel.Constant;
import org.trellis.kernel.GlobalRead;
import org.trellis.kernel.Increment;
import org.trellis.kernel.KernelFunction;
import org.trellis.kernel.Max;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Min;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Sum;
import org.trellis.kernel.Write;

/**
 * The kernels of the shallow-water equations: cell-centred finite volumes of first order in space on triangles, with
 * the hydrostatic reconstruction of E. Audusse, F. Bouchut, M.-O. Bristeau, R. Klein and B. Perthame (A fast and stable
 * well-balanced scheme with hydrostatic reconstruction for shallow water flows, SIAM J. Sci. Comput. 25, 2004), the HLL
 * flux with the contact wave (HLLC) and the wave speeds of L. Fraccarollo and E. F. Toro (J. Hydraulic Res. 33, 1995),
 * and the Runge-Kutta method of order two of Heun. The loops are those of Volna (I. Z. Reguly, thesis, 2014, section
 * 5.3 and table 5.3).
 *
 * <p>The state of a cell is {@code (η, hu, hv, z)}: the level of the surface, the momentum, and the bed, with the depth
 * {@code h = η − z}. In the open ocean η is a few centimetres and h is kilometres: keeping η, and computing with
 * differences of η, is what makes single precision enough. It also keeps a lake at rest to the last bit.
 *
 * <p>Momentum fluxes are kept without the hydrostatic pressure of their own cell, which adds up to zero around a cell;
 * therefore each side of an edge has its own, and they differ by the pressure on the step of the bed.
 */
public final class ShallowWater {
    /** The edge has a cell on both sides. */
    static final int INTERIOR = 0;
    /** Nothing passes. */
    static final int WALL = 1;
    /** The water behind is as the water in front. */
    static final int OPEN = 2;
    /** Behind is a sea at rest, into which waves go out. */
    static final int SEA = 3;

    /** Where the gravity is among the settings, in m/s². */
    static final int GRAVITY = 0;
    /** Where the minimum depth is among the settings, in m: shallower water stands still. */
    static final int MINIMUM_DEPTH = 1;
    /** Where the level of the sea behind {@link #SEA} edges is among the settings, in m. */
    static final int SEA_LEVEL = 2;

    /** What a divisor is at least; a dry cell has no speed. A normal number in single precision. */
    private static final double MIN_DIVISOR = 1e-30;
    /** The lowest level of no cell at all, and minus the highest. */
    static final double NOWHERE = 1e30;

    private ShallowWater() {}

    /**
     * The flux through an edge, times its length: the mass from left to right, then the momentum that the left cell
     * loses, then the momentum that the right cell gains. And the length times the largest speed of a wave.
     *
     * @param left  the state of the cell from which the normal points
     * @param right the state of the other; on the boundary, of the same
     * @param face  normal of length one, length of the edge
     */
    @MeshKernel
    static void computeFlux(@Read(4) double[] left, @Read(4) double[] right, @Read(3) double[] face, @Read int[] kind,
            @Write(5) double[] flux, @Write double[] speed, @Constant(3) double[] settings) {
        double nx = face[0];
        double ny = face[1];
        double gravity = settings[GRAVITY];
        double surfaceRight = kind[0] == SEA ? settings[SEA_LEVEL] : right[0];

        // The reconstruction: the water above the higher of the two beds.
        double bed = Math.max(left[3], right[3]);
        double levelLeft = Math.max(left[0], bed);
        double levelRight = Math.max(surfaceRight, bed);
        double hLeft = levelLeft - bed;
        double hRight = levelRight - bed;
        double rise = levelRight - levelLeft;

        double perDepthLeft = hLeft > 0 ? inverseDepth(left[0], left[3], settings[MINIMUM_DEPTH]) : 0;
        double perDepthRight = hRight > 0 ? inverseDepth(right[0], right[3], settings[MINIMUM_DEPTH]) : 0;
        double uLeft = perDepthLeft * (left[1] * nx + left[2] * ny);
        double vLeft = perDepthLeft * (left[2] * nx - left[1] * ny);
        double uInside = perDepthRight * (right[1] * nx + right[2] * ny);
        double uRight = kind[0] == WALL ? -uInside : (kind[0] == SEA ? 0 : uInside);
        double vRight = kind[0] == SEA ? 0 : perDepthRight * (right[2] * nx - right[1] * ny);

        double cLeft = Math.sqrt(gravity * hLeft);
        double cRight = Math.sqrt(gravity * hRight);
        double uStar = 0.5 * (uLeft + uRight) + cLeft - cRight;
        double cStar = 0.5 * (cLeft + cRight) + 0.25 * (uLeft - uRight);
        // Those of both sides and of the state between them, as if that lay behind two rarefactions. Water runs onto
        // dry ground at u + 2c.
        double slowest = Math.min(Math.min(uLeft - cLeft, uRight - cRight), uStar - cStar);
        double fastest = Math.max(Math.max(uLeft + cLeft, uRight + cRight), uStar + cStar);
        double a = Math.min(hLeft > 0 ? slowest : uRight - 2 * cRight, 0);
        double b = Math.max(hRight > 0 ? fastest : uLeft + 2 * cLeft, 0);
        double perSpan = 1 / Math.max(b - a, MIN_DIVISOR);

        // F = F(left) + a (b ΔU - ΔF) / (b - a): all that a lake at rest leaves over is differences that are zero.
        double qLeft = hLeft * uLeft;
        double qRight = hRight * uRight;
        double pressure = 0.5 * gravity * rise * (hLeft + hRight);
        double through = qLeft + a * (b * rise - (qRight - qLeft)) * perSpan;
        double mass = kind[0] == WALL ? 0 : through;
        double along = qLeft * uLeft
                + a * (b * (qRight - qLeft) - (qRight * uRight - qLeft * uLeft + pressure)) * perSpan;
        double across = mass * (mass >= 0 ? vLeft : vRight);

        double length = face[2];
        flux[0] = length * mass;
        flux[1] = length * (along * nx - across * ny);
        flux[2] = length * (along * ny + across * nx);
        flux[3] = length * ((along - pressure) * nx - across * ny);
        flux[4] = length * ((along - pressure) * ny + across * nx);
        speed[0] = length * Math.max(b, -a);
    }

    /** One over the depth, or over the minimum depth if that is more. */
    @KernelFunction
    static double inverseDepth(double surface, double bed, double minimum) {
        return 1 / Math.max(surface - bed, minimum);
    }

    /**
     * The time step that a cell allows: no more water leaves than there is, since no wave sweeps more than the cell's
     * area. Depths stay positive (Audusse et al., proposition 2.1, for triangles).
     */
    @MeshKernel
    static void numericalFlux(@Read double[] speed1, @Read double[] speed2, @Read double[] speed3, @Read double[] area,
            @Min double[] step, @Constant double courant) {
        step[0] = Math.min(step[0], courant * area[0] / Math.max(speed1[0] + speed2[0] + speed3[0], MIN_DIVISOR));
    }

    /** What an edge gives to its two cells. The right side of a boundary edge is outside. */
    @MeshKernel
    static void spaceDiscretisation(@Read(5) double[] flux, @Read int[] kind, @Increment(3) double[] left,
            @Increment(3) double[] right) {
        double inside = kind[0] == INTERIOR ? 1 : 0;
        left[0] -= flux[0];
        left[1] -= flux[1];
        left[2] -= flux[2];
        right[0] += inside * flux[0];
        right[1] += inside * flux[3];
        right[2] += inside * flux[4];
    }

    /** The first stage: a step of Euler. Clears the gains for the second. */
    @MeshKernel
    static void rungeKutta1(@Read(4) double[] state, @ReadWrite(3) double[] gain, @Read double[] area,
            @Write(4) double[] middle, @GlobalRead double[] step, @Constant(3) double[] settings) {
        double rate = step[0] / area[0];
        double surface = state[0] + rate * gain[0];
        double moving = surface - state[3] > settings[MINIMUM_DEPTH] ? 1 : 0;
        middle[0] = surface;
        middle[1] = moving * (state[1] + rate * gain[1]);
        middle[2] = moving * (state[2] + rate * gain[2]);
        middle[3] = state[3];
        gain[0] = 0;
        gain[1] = 0;
        gain[2] = 0;
    }

    /** The second stage: the mean of the old state and of a step of Euler from the middle one. Clears the gains. */
    @MeshKernel
    static void rungeKutta2(@ReadWrite(4) double[] state, @Read(4) double[] middle, @ReadWrite(3) double[] gain,
            @Read double[] area, @GlobalRead double[] step, @Constant(3) double[] settings) {
        double rate = step[0] / area[0];
        double surface = 0.5 * (state[0] + (middle[0] + rate * gain[0]));
        double moving = surface - state[3] > settings[MINIMUM_DEPTH] ? 1 : 0;
        state[0] = surface;
        state[1] = moving * 0.5 * (state[1] + (middle[1] + rate * gain[1]));
        state[2] = moving * 0.5 * (state[2] + (middle[2] + rate * gain[2]));
        gain[0] = 0;
        gain[1] = 0;
        gain[2] = 0;
    }

    /**
     * What can be said about all cells: the volume of the water, and of those that are wet the lowest and highest
     * level and the highest speed.
     */
    @MeshKernel
    static void measure(@Read(4) double[] state, @Read double[] area, @Sum double[] volume, @Min double[] lowest,
            @Max(2) double[] highest, @Constant(3) double[] settings) {
        double depth = state[0] - state[3];
        double inverse = inverseDepth(state[0], state[3], settings[MINIMUM_DEPTH]);
        double speed = inverse * Math.sqrt(state[1] * state[1] + state[2] * state[2]);
        volume[0] += area[0] * depth;
        lowest[0] = Math.min(lowest[0], depth > settings[MINIMUM_DEPTH] ? state[0] : NOWHERE);
        highest[0] = Math.max(highest[0], depth > settings[MINIMUM_DEPTH] ? state[0] : -NOWHERE);
        highest[1] = Math.max(highest[1], speed);
    }

    /** Keeps the highest level that each cell has seen. */
    @MeshKernel
    static void envelope(@Read(4) double[] state, @ReadWrite double[] crest) {
        crest[0] = Math.max(crest[0], state[0]);
    }
}

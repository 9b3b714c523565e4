package org.trellis.fem;

import org.trellis.common.Precision;
import org.trellis.fem.integrate.ElementTables;
import org.trellis.fem.integrate.FormKernels;
import org.trellis.fem.space.CellMesh;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.ParallelLoop;

/**
 * Loads of a system: a function, evaluated at the quadrature points on the host, times the test functions. A backend's
 * own kernels add them up where it has them; otherwise a loop does, which is made with its data for the first load and
 * kept, so that further ones cost the evaluation, two copies and the sums.
 */
final class LoadTerms {
    private final FormMesh form;
    private final CoefficientValues points;
    private final ElementTables tables;
    private final int fields;
    /** Kernels of the backend's own, or null. */
    private final DeviceForms.DeviceForm device;
    private Dat atPoints;
    private Dat sums;
    private ParallelLoop loop;

    LoadTerms(FormMesh form, Constraints constraints, DeviceForms.DeviceForm device) {
        this.form = form;
        this.fields = constraints.fields();
        this.device = device;
        CellMesh mesh = constraints.space().mesh();
        this.tables = ElementTables.of(constraints.space().element(), mesh.geometry());
        this.points = new CoefficientValues(mesh, tables);
    }

    /**
     * Computes the load of the rows of a system.
     *
     * @param function f, which is called by several threads at once
     * @param rows     the first so many unknowns
     * @return a new vector
     */
    HostVector of(PointFunction function, int rows) {
        double[] values = points.evaluate("the load", Coefficient.of(fields, function), false);
        Precision precision = form.options().precision();
        HostVector b = HostVector.zeros(precision, rows);
        if (device != null) {
            try (DenseVector there = form.mesh().backend().vector(precision, rows)) {
                device.load(values, there);
                there.copyTo(b);
            }
            return b;
        }
        if (loop == null) {
            declare(precision);
        }
        atPoints.setAll(values);
        sums.fill(0);
        loop.run();
        sums.vector().part(0, rows).copyTo(b);
        return b;
    }

    @SuppressWarnings("MustBeClosed") // closed with the mesh
    private void declare(Precision precision) {
        atPoints = form.mesh().dat("load at points", form.cells(), tables.points() * fields, precision);
        sums = form.mesh().dat("load", form.all(), 1, precision);
        loop = form.rare(kernels().load(), form.points(), atPoints, sums.at(form.ofCells()));
    }

    /** Those of the form; of a user's kernel, whose integrals are unknown, those of any form with its fields. */
    private FormKernels kernels() {
        if (form.kernels() != null) {
            return form.kernels();
        }
        int slots = fields * (form.geometry().dimension() + 1);
        return fields == 1
                ? new FormKernels(tables, 1, null, new FormKernels.Field(new double[]{1}, 1, false), null)
                : new FormKernels(tables, fields, null, null,
                        new FormKernels.Field(new double[slots * slots], slots * slots, false));
    }
}

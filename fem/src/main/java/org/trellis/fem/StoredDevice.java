package org.trellis.fem;

import java.util.Optional;
import org.trellis.memory.DenseVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;

/** The forms whose product is a backend's own: element matrices, stored factors, nothing. */
final class StoredDevice implements StoredForm {
    private final FormMesh form;
    private final DeviceForms.DeviceForm device;
    private final DeviceOperator operator;
    private final DeviceForms.Kept kept;

    @SuppressWarnings("MustBeClosed") // closed with this
    StoredDevice(FormMesh form, DeviceForms forms, DeviceForms.Kept kept) {
        this.form = form;
        this.kept = kept;
        this.device = forms.prepare(form.elements(form.unknowns().free()), kept, null, form.atomics());
        this.operator = new DeviceOperator(form.options().storage().label() + " form of " + form.unknowns().free()
                + " unknowns", form.mesh().backend(), form.options().precision(), form.unknowns().free(), device);
    }

    @Override
    public void assemble() {
        device.assemble(null);
    }

    @Override
    public LinearOperator operator() {
        return operator;
    }

    @Override
    public Optional<CsrMatrix> matrix() {
        return Optional.empty();
    }

    @Override
    @SuppressWarnings("MustBeClosed") // the caller closes them
    public Optional<ColourSweeps> sweeps(RowColours colours, DenseVector inverse) {
        return Optional.of(device.sweeps(colours, inverse));
    }

    @Override
    public Optional<DeviceForms.DeviceForm> device() {
        return Optional.of(device);
    }

    @Override
    public long storedBytes() {
        return device.storedBytes();
    }

    @Override
    public long modelBytes() {
        int b = form.options().precision().bytes();
        int unknowns = form.unknowns().perCell();
        int read = switch (kept) {
            case MATRICES -> unknowns * unknowns;
            case FACTORS -> form.kernels().tables().points() * form.kernels().factorSize();
            default -> form.kernels().tables().map().functions() * form.kernels().tables().dimension();
        };
        return form.cells().size() * ((long) read * b + unknowns * (2L * b + Integer.BYTES));
    }

    @Override
    public void close() {
        operator.close();
        device.close();
    }
}

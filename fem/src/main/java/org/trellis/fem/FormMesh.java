package org.trellis.fem;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.integrate.ElementTables;
import org.trellis.fem.integrate.FormKernels;
import org.trellis.fem.integrate.RowKernels;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.kernel.Access;
import org.trellis.kernel.LoopKernel;
import org.trellis.memory.MemorySpace;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopArgument;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.LoopDeviceParameters;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.sparse.ElementKernels;

/** Sets, maps and data of a form on the mesh runtime, and its kernels. */
final class FormMesh implements AutoCloseable {
    private final Mesh mesh;
    private final BilinearForm form;
    private final FormOptions options;
    private final Unknowns unknowns;
    private final CellMesh geometry;
    private final FormKernels kernels;
    private final LoopKernel own;
    private final MeshSet cells;
    private final MeshSet all;
    private final MeshMap ofCells;
    private final List<LoopArgument> begin = new ArrayList<>();
    private final List<Runnable> refreshes = new ArrayList<>();

    @SuppressWarnings("MustBeClosed") // closed with this
    FormMesh(BilinearForm form, Constraints constraints, Unknowns unknowns, FormOptions options, Backend backend,
            MeshOptions meshOptions) {
        this.options = options;
        this.unknowns = unknowns;
        FunctionSpace space = constraints.space();
        geometry = space.mesh();
        ElementTables tables = ElementTables.of(space.element(), geometry.geometry());
        this.own = form.kernel();
        this.form = form;
        this.kernels = own != null ? null : kernels(form, tables, backend);
        this.mesh = Mesh.on(backend, meshOptions);
        cells = mesh.set("cells", geometry.cells());
        all = mesh.set("unknowns", unknowns.total());
        ofCells = mesh.map("unknowns of cells", cells, all, unknowns.perCell(), unknowns.ofCells());
        int dimension = geometry.dimension();
        MeshSet points = mesh.set("points of maps", geometry.geometryPoints().length / dimension);
        MeshMap mapPoints =
                mesh.map("points of cells", cells, points, geometry.geometry().nodes(), geometry.geometryNodes());
        begin.add(mesh.dat("x", points, dimension, options.precision(), geometry.geometryPoints()).at(mapPoints));
        CoefficientValues values = new CoefficientValues(geometry, tables);
        declare("kappa", form.diffusion(), values);
        declare("reaction", form.reaction(), values);
        declare("matrix", form.matrix(), values);
    }

    private static FormKernels kernels(BilinearForm form, ElementTables tables, Backend backend) {
        return new FormKernels(tables, form.fields(), field("kappa", form.diffusion()),
                field("the reaction", form.reaction()), field("the matrix", form.matrix()),
                backend.optionalKernels(RowKernels.class).orElse(RowKernels.PLAIN));
    }

    private static FormKernels.Field field(String name, Coefficient coefficient) {
        return coefficient == null
                ? null
                : new FormKernels.Field(CoefficientValues.checkedConstant(name, coefficient), coefficient.components(),
                        coefficient.atPoints());
    }

    private void declare(String name, Coefficient coefficient, CoefficientValues values) {
        if (coefficient == null || coefficient.constant() != null) {
            return;
        }
        boolean positive = !"matrix".equals(name);
        int components = coefficient.components();
        int perCell = components * (coefficient.atPoints() ? values.points() : 1);
        Dat dat = mesh.dat(name, cells, perCell, options.precision());
        begin.add(dat);
        if (coefficient.loop() == null) {
            dat.setAll(values.evaluate(name, coefficient, positive && "kappa".equals(name)));
            return;
        }
        MeshSet points = mesh.set("quadrature points of " + name, cells.size() * values.points());
        Dat x = mesh.dat("quadrature points of " + name, points, values.dimension(), options.precision(),
                values.coordinates());
        Dat written = mesh.dat(name + " at points", points, components, options.precision());
        ElementKernels elements = mesh.backend().kernels(ElementKernels.class);
        refreshes.add(() -> {
            coefficient.loop().run(mesh, x, written);
            elements.update(1, null, written.vector(), 0, dat.vector());
        });
    }

    /** Computes the coefficients that loops of the user's make. */
    void refresh() {
        refreshes.forEach(Runnable::run);
    }

    /** Returns the coefficients that are not constant, as they are now. */
    double[][] coefficientValues() {
        double[][] values = new double[begin.size() - 1][];
        Arrays.setAll(values, k -> ((Dat) begin.get(k + 1)).toArray());
        return values;
    }

    /** Returns the points of the map, the first argument of all kernels. */
    LoopArgument points() {
        return begin.getFirst();
    }

    CellMesh geometry() {
        return geometry;
    }

    Mesh mesh() {
        return mesh;
    }

    /** Returns the form on its elements, for kernels of a backend's own. */
    DeviceForms.Elements elements(int rows) {
        List<Dat> coefficients = new ArrayList<>();
        for (LoopArgument argument : begin.subList(1, begin.size())) {
            coefficients.add(((Dat) argument).layout(Layout.AOS));
        }
        return new DeviceForms.Elements(kernels, options.precision(), cells.size(), geometry.geometryNodes(),
                geometry.geometryPoints(), coefficients, unknowns.ofCells(), rows, options.formulation());
    }

    /** Has a backend's own kernels for a form compiled, if they are what a system with these options will use. */
    static void compileAhead(BilinearForm form, CellMesh mesh, LagrangeElement element, FormOptions options,
            Backend backend) {
        DeviceForms.Kept kept = kept(options.storage());
        Optional<DeviceForms> forms =
                backend.optionalKernels(DeviceForms.class).filter(some -> kept != null && usesDevice(form, options));
        if (forms.isPresent()) {
            FormKernels kernels = kernels(form, ElementTables.of(element, mesh.geometry()), backend);
            if (forms.get().objection(kernels, kept, options.formulation()).isEmpty()) {
                forms.get().compileAhead(kernels, options.formulation(), options.precision(), kept, atomics(options));
            }
        }
    }

    /** Returns what a device keeps of a storage, or null of rows, and of what only loops have. */
    static DeviceForms.Kept kept(Storage storage) {
        return switch (storage) {
            case LOCAL_MATRICES -> DeviceForms.Kept.MATRICES;
            case MATRIX_FREE_FACTORED -> DeviceForms.Kept.FACTORS;
            case MATRIX_FREE -> DeviceForms.Kept.NOTHING;
            default -> null;
        };
    }

    private static boolean usesDevice(BilinearForm form, FormOptions options) {
        boolean scheme = options.scheme().isPresent() && options.scheme().get() != LoopScheme.ATOMICS;
        return !scheme && options.blockSize() == 0 && form.kernel() == null;
    }

    /** Returns the backend's own kernels for a form, if it has them and nothing is requested that only loops have. */
    Optional<DeviceForms> device(DeviceForms.Kept kept) {
        return usesDevice(form, options)
                ? mesh.backend().optionalKernels(DeviceForms.class)
                        .filter(forms -> forms.objection(kernels, kept, options.formulation()).isEmpty())
                : Optional.empty();
    }

    /** Finds the structure of the rows of unknowns below a number, on the device if there is one. */
    EntryPositions places(int rows) {
        return new EntryPositions(unknowns.ofCells(), unknowns.perCell(), rows,
                mesh.backend().optionalKernels(DeviceForms.class).orElse(null));
    }

    /** Says whether elements are to add by atomics. */
    boolean atomics() {
        return atomics(options);
    }

    private static boolean atomics(FormOptions options) {
        return options.scheme().filter(LoopScheme.ATOMICS::equals).isPresent();
    }

    FormOptions options() {
        return options;
    }

    Unknowns unknowns() {
        return unknowns;
    }

    /** Returns the kernels, or null for a kernel of the user's. */
    FormKernels kernels() {
        return kernels;
    }

    /** Returns the kernel that adds element matrices to entries. */
    LoopKernel assembleKernel() {
        return own != null ? own : kernels.assemble(options.formulation());
    }

    MeshSet cells() {
        return cells;
    }

    MeshSet all() {
        return all;
    }

    MeshMap ofCells() {
        return ofCells;
    }

    /** Declares a loop over cells that begins with the points of the map and the coefficients. */
    ParallelLoop loop(LoopKernel kernel, LoopArgument... more) {
        List<LoopArgument> arguments = new ArrayList<>(begin);
        arguments.addAll(Arrays.asList(more));
        return plain(kernel, cells, arguments.toArray(LoopArgument[]::new));
    }

    /** Declares a loop over any set; scheme and size of blocks of the options hold if it adds through maps. */
    ParallelLoop plain(LoopKernel kernel, MeshSet set, LoopArgument... arguments) {
        ParallelLoop loop = mesh.loop(kernel, set, arguments);
        boolean adds = kernel.signature().arguments().getLast().access() == Access.INCREMENT;
        LoopParameters parameters = loop.parameters();
        if (adds && options.scheme().isPresent() && options.scheme().get() != parameters.scheme()) {
            // What a device does beside belongs to the scheme of the rule.
            parameters = parameters.withScheme(options.scheme().get()).withDevice(LoopDeviceParameters.NONE)
                    .withFission(false);
        }
        if (adds && options.blockSize() > 0) {
            parameters = parameters.withBlockSize(options.blockSize());
        }
        if (!parameters.equals(loop.parameters())) {
            loop.parameters(parameters);
        }
        return loop;
    }

    /**
     * Declares a loop over cells that adds through maps and runs once or twice. On a device what cells add is stored
     * and gathered, unless a scheme is given: finding colours takes the host longer than the loop saves.
     */
    ParallelLoop rare(LoopKernel kernel, LoopArgument... arguments) {
        ParallelLoop loop = plain(kernel, cells, arguments);
        if (options.scheme().isEmpty() && mesh.backend().device().space() != MemorySpace.HOST) {
            loop.parameters(loop.parameters().withScheme(LoopScheme.TEMPORARY)
                    .withDevice(LoopDeviceParameters.NONE).withFission(false));
        }
        return loop;
    }

    /** The same of a loop that begins with the points of the map and the coefficients. */
    ParallelLoop rareOfCells(LoopKernel kernel, LoopArgument... more) {
        List<LoopArgument> arguments = new ArrayList<>(begin);
        arguments.addAll(Arrays.asList(more));
        return rare(kernel, arguments.toArray(LoopArgument[]::new));
    }

    @Override
    public void close() {
        mesh.close();
    }
}

package org.trellis.distributed.communicate;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.trellis.common.BackendUnavailableException;

/**
 * An {@code mpi.MPI} that a program has put on the class path, called by reflection: nothing of it is known when this
 * is compiled. There are two dialects of its interface, distinguished by how a communicator is asked for its rank. Only
 * non-blocking messages of bytes between two processes of {@code COMM_WORLD} are used.
 */
abstract class MpiJavaDialect {
    /** The package that both dialects have. */
    static final String PACKAGE = "mpi";

    private final Class<?> mpi;
    private final Object world;
    private final Object bytes;

    /**
     * What the two dialects share.
     *
     * @param mpi the class {@code MPI}, initialised
     */
    MpiJavaDialect(Class<?> mpi) {
        this.mpi = mpi;
        this.world = field(mpi, "COMM_WORLD");
        this.bytes = field(mpi, "BYTE");
    }

    /**
     * Finds the classes, without initialising MPI.
     *
     * @param packageName where they are, {@link #PACKAGE} but in tests
     * @throws BackendUnavailableException if there are none, or they are of neither dialect
     */
    static Class<?> find(String packageName) {
        String name = packageName + ".MPI";
        String missing = name;
        ClassLoader own = MpiJavaDialect.class.getClassLoader();
        for (ClassLoader loader : new ClassLoader[]{Thread.currentThread().getContextClassLoader(), own}) {
            try {
                Class<?> mpi = Class.forName(name, false, loader);
                requireDialect(mpi, Class.forName(packageName + ".Comm", false, loader));
                return mpi;
            } catch (ClassNotFoundException e) {
                missing = e.getMessage();
            }
        }
        throw new BackendUnavailableException("there is no class " + missing + " on the class path, expected MPJ "
                + "Express or Open MPI's Java bindings; without them transport mpi needs no jar");
    }

    private static void requireDialect(Class<?> mpi, Class<?> communicator) {
        if (!has(communicator, "Rank") && !has(communicator, "getRank")) {
            throw new BackendUnavailableException(mpi.getName() + " is of an unknown dialect: " + communicator.getName()
                    + " has neither Rank() (mpiJava 1.2, MPJ Express) nor getRank() (Open MPI)");
        }
    }

    private static boolean has(Class<?> type, String method) {
        return Arrays.stream(type.getMethods()).anyMatch(found -> found.getName().equals(method));
    }

    /** Initialises MPI and returns the dialect. */
    static MpiJavaDialect start(Class<?> mpi, String... arguments) {
        call(null, method(mpi, "Init", String[].class), (Object) arguments);
        Class<?> communicator = field(mpi, "COMM_WORLD").getClass();
        return has(communicator, "Rank") ? new MpiJavaClassic(mpi) : new MpiJavaOpen(mpi);
    }

    Object world() {
        return world;
    }

    Object bytes() {
        return bytes;
    }

    /** Returns a class of the same package. */
    final Class<?> sibling(String name) {
        try {
            return Class.forName(mpi.getPackageName() + '.' + name, true, mpi.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new BackendUnavailableException(mpi.getName() + " has no class " + e.getMessage() + " beside it");
        }
    }

    static Object field(Class<?> type, String name) {
        try {
            return type.getField(name).get(null);
        } catch (ReflectiveOperationException e) {
            throw new BackendUnavailableException(type.getName() + " has no field " + name + " that can be read");
        }
    }

    static Method method(Class<?> type, String name, Class<?>... parameters) {
        try {
            return type.getMethod(name, parameters);
        } catch (NoSuchMethodException e) {
            throw new BackendUnavailableException(type.getName() + " has no method " + name + " with "
                    + Arrays.stream(parameters).map(Class::getSimpleName).toList());
        }
    }

    static Object call(Object target, Method method, Object... arguments) {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw new MpiJavaException(method.getName() + " threw " + e.getCause(), e.getCause());
        } catch (IllegalAccessException e) {
            throw new MpiJavaException(method + " cannot be called", e);
        }
    }

    abstract int rank();

    abstract int size();

    /** Makes memory for messages: a direct buffer in the order of the machine. */
    abstract ByteBuffer allocate(int length);

    /** Begins to send the first bytes of a buffer of {@link #allocate}. */
    abstract Object send(ByteBuffer message, int length, int to, int tag);

    /** Begins to receive into a buffer of {@link #allocate}. */
    abstract Object receive(ByteBuffer message, int length, int from, int tag);

    /**
     * Looks whether a message has been sent or received.
     *
     * @return the number of bytes received, 0 for a message that was sent; −1 if it is still on its way
     */
    abstract int test(Object request);

    /** Ends all processes; may return if the library cannot. */
    abstract void abort(int code);

    /** Says which dialect this is. */
    abstract String label();

    final void finish() {
        call(null, method(mpi, "Finalize"));
    }
}

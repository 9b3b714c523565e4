package org.trellis.matrices.numpy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.PrintableText;
import org.trellis.matrices.io.ComplexPolicy;

/**
 * An array of NumPy in its file format NPY, versions 1 to 3: a dictionary that describes it, then the elements.
 *
 * @param name  of file and array, for messages
 * @param type  of the elements, as NumPy has it: a letter and a number of bytes
 * @param shape of the array; none for a single element
 * @param bytes the elements, with the order of bytes set
 * @see <a href="https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html">numpy.lib.format</a>
 */
record NpyArray(String name, String type, long[] shape, ByteBuffer bytes) {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int LONGEST_HEADER = 1 << 16;
    private static final int ALIGNMENT = 64;
    private static final int BEFORE_HEADER = 10;
    private static final Pattern DESCRIPTION = Pattern.compile("'descr'\\s*:\\s*'([<>|=]?)([a-zA-Z]\\d{0,6})'");
    private static final Pattern ORDER = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
    private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([\\d,\\sL]{0,400})\\)");

    static NpyArray parse(String name, byte[] file) {
        if (file.length < BEFORE_HEADER || !Arrays.equals(MAGIC, Arrays.copyOf(file, MAGIC.length))) {
            throw problem(name, "no magic number", "an array in NPY format, which begins with \\x93NUMPY");
        }
        int version = file[MAGIC.length];
        if (version < 1 || version > 3) {
            throw problem(name, "format version " + version, "1, 2 or 3");
        }
        ByteBuffer buffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int start = version == 1 ? BEFORE_HEADER : BEFORE_HEADER + 2;
        long length = version == 1 ? Short.toUnsignedLong(buffer.getShort(8)) : lengthOfFour(name, buffer);
        if (length > LONGEST_HEADER || start + length > file.length) {
            throw problem(name, "a header of " + length + " bytes", "at most " + Math.min(LONGEST_HEADER,
                    file.length - start) + " bytes, which the file has");
        }
        String header = new String(file, start, (int) length, StandardCharsets.ISO_8859_1);
        return described(name, header, buffer.position((int) (start + length)).slice());
    }

    private static long lengthOfFour(String name, ByteBuffer buffer) {
        if (buffer.capacity() < 12) {
            throw problem(name, "a file of " + buffer.capacity() + " bytes", "at least 12");
        }
        return Integer.toUnsignedLong(buffer.getInt(8));
    }

    private static NpyArray described(String name, String header, ByteBuffer data) {
        Matcher description = find(name, DESCRIPTION, header, "a simple type such as '<f8'");
        Matcher shape = find(name, SHAPE, header, "a shape such as (3,)");
        find(name, ORDER, header, "fortran_order True or False");
        boolean big = description.group(1).equals(">");
        long[] sizes = Pattern.compile("\\d+").matcher(shape.group(1)).results()
                .mapToLong(number -> size(name, number.group())).toArray();
        NpyArray array = new NpyArray(name, description.group(2), sizes,
                data.order(big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN));
        long needed = (long) array.count() * array.elementBytes();
        if (needed != data.remaining()) {
            throw problem(name, data.remaining() + " bytes of elements", needed + " bytes for " + array.count()
                    + " elements of type " + array.type);
        }
        return array;
    }

    private static Matcher find(String name, Pattern pattern, String header, String expected) {
        Matcher matcher = pattern.matcher(header);
        if (!matcher.find()) {
            throw problem(name, "header " + PrintableText.quote(header.strip()), expected);
        }
        return matcher;
    }

    private static long size(String name, String digits) {
        if (digits.length() > 18) {
            throw problem(name, "size " + digits, "one of at most 18 digits");
        }
        return Long.parseLong(digits);
    }

    static MatrixFormatException problem(String name, String found, String expected) {
        return new MatrixFormatException(name, 0, 0, found, expected);
    }

    private int elementBytes() {
        int bytes = type.length() == 1 ? 1 : Integer.parseInt(type.substring(1));
        if (type.charAt(0) == 'U') {
            return 4 * bytes;
        }
        if (bytes == 0 || (type.charAt(0) != 'S' && bytes > 32)) {
            throw problem(name, "type " + type, "integers, floating-point numbers, booleans or text");
        }
        return bytes;
    }

    /** Returns the number of elements, refused if it does not fit an array. */
    int count() {
        long count = 1;
        for (long size : shape) {
            count = size > Integer.MAX_VALUE ? Long.MAX_VALUE : count * size;
            if (count > Integer.MAX_VALUE - 8) {
                throw problem(name, "shape " + Arrays.toString(shape), "at most " + (Integer.MAX_VALUE - 8)
                        + " elements");
            }
        }
        return (int) count;
    }

    /** Returns text, as SciPy stores the name of a format, without the zeros behind it. */
    String text() {
        byte[] raw = new byte[bytes.remaining()];
        bytes.duplicate().get(raw);
        String text = switch (type.charAt(0)) {
            case 'S' -> new String(raw, StandardCharsets.ISO_8859_1);
            case 'U' -> new String(raw, bytes.order() == ByteOrder.BIG_ENDIAN
                    ? StandardCharsets.UTF_32BE
                    : StandardCharsets.UTF_32LE);
            default -> throw problem(name, "type " + type, "text");
        };
        return text.replace("\0", "");
    }

    /** Returns whole numbers of any type that holds such. */
    long[] wholeNumbers() {
        int size = elementBytes();
        long[] numbers = new long[count()];
        for (int k = 0; k < numbers.length; k++) {
            numbers[k] = wholeNumber(k * size);
        }
        return numbers;
    }

    private long wholeNumber(int at) {
        return switch (type) {
            case "i1" -> bytes.get(at);
            case "b1", "?", "u1" -> Byte.toUnsignedLong(bytes.get(at));
            case "i2" -> bytes.getShort(at);
            case "u2" -> Short.toUnsignedLong(bytes.getShort(at));
            case "i4" -> bytes.getInt(at);
            case "u4" -> Integer.toUnsignedLong(bytes.getInt(at));
            case "i8", "u8" -> bytes.getLong(at);
            default -> throw problem(name, "type " + type, "whole numbers of 1, 2, 4 or 8 bytes");
        };
    }

    /** Whether the elements are complex numbers. */
    boolean isComplex() {
        return type.charAt(0) == 'c';
    }

    /** Returns one part of complex numbers. */
    private double[] parts(boolean imaginary) {
        double[] parts = new double[count()];
        for (int k = 0; k < parts.length; k++) {
            int at = 2 * k + (imaginary ? 1 : 0);
            parts[k] = switch (type) {
                case "c16" -> bytes.getDouble(8 * at);
                case "c8" -> bytes.getFloat(4 * at);
                default -> refuse();
            };
        }
        return parts;
    }

    /** Returns numbers of any real type, or parts of complex ones; whole numbers of 64 bits are rounded to nearest. */
    double[] numbers(ComplexPolicy policy) {
        if (isComplex()) {
            if (policy == ComplexPolicy.REFUSE || policy == ComplexPolicy.REAL_FORM) {
                throw problem(name, "type " + type, "real numbers of at most 8 bytes; or MatrixFiles.readComplex, or a "
                        + "policy: ComplexPolicy.REAL_FORM, on the command line --complex=REAL_FORM");
            }
            return parts(policy == ComplexPolicy.IMAGINARY_PART);
        }
        double[] numbers = new double[count()];
        for (int k = 0; k < numbers.length; k++) {
            numbers[k] = switch (type) {
                case "f8" -> bytes.getDouble(8 * k);
                case "f4" -> bytes.getFloat(4 * k);
                case "f2" -> Float.float16ToFloat(bytes.getShort(2 * k));
                case "u8" -> unsigned(bytes.getLong(8 * k));
                default -> type.charAt(0) == 'f' ? refuse() : wholeNumber(k * elementBytes());
            };
        }
        return numbers;
    }

    private double refuse() {
        throw problem(name, "type " + type, "real numbers of at most 8 bytes");
    }

    private static double unsigned(long bits) {
        // Halved, with the lowest bit kept so that the number is rounded once.
        return bits >= 0 ? bits : 2.0 * ((bits >>> 1) | (bits & 1));
    }

    /** Returns what stands before the elements, of version 1. */
    static byte[] header(String type, int... shape) {
        String sizes = Arrays.toString(shape).replaceAll("[\\[\\]]", "") + (shape.length == 1 ? "," : "");
        String header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + sizes + "), }";
        int padding = Math.floorMod(-(BEFORE_HEADER + header.length() + 1), ALIGNMENT);
        String padded = header + " ".repeat(padding) + "\n";
        return ByteBuffer.allocate(BEFORE_HEADER + padded.length()).order(ByteOrder.LITTLE_ENDIAN)
                .put(MAGIC).put((byte) 1).put((byte) 0).putShort((short) padded.length())
                .put(padded.getBytes(StandardCharsets.ISO_8859_1)).array();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NpyArray array && type.equals(array.type) && Arrays.equals(shape, array.shape)
                && bytes.equals(array.bytes);
    }

    @Override
    public int hashCode() {
        return bytes.hashCode();
    }
}

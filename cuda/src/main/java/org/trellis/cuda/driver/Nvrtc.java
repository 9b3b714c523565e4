package org.trellis.cuda.driver;

/**
 * The functions of NVRTC, the run-time compiler, that Trellis calls. A code of 0 is success; programs are addresses.
 */
public interface Nvrtc {
    /** The code of success. */
    int SUCCESS = 0;

    /**
     * {@code nvrtcVersion}.
     *
     * @return 1000 × major + 10 × minor
     * @throws org.trellis.common.DeviceException if the call fails
     */
    int version();

    /**
     * {@code nvrtcGetErrorString}.
     *
     * @param code what a function returned
     * @return its name
     */
    String errorString(int code);

    /**
     * {@code nvrtcCreateProgram}.
     *
     * @param source       the source
     * @param name         its name, for messages
     * @param headers      texts of headers
     * @param includeNames the names by which the source includes them, as many
     * @return the program, to be destroyed
     * @throws org.trellis.common.DeviceException if the call fails
     */
    long createProgram(String source, String name, String[] headers, String[] includeNames);

    /**
     * {@code nvrtcCompileProgram}.
     *
     * @param program the program
     * @param options the compiler's options
     * @return the code; not 0 if the source is wrong
     */
    int compileProgram(long program, String[] options);

    /**
     * {@code nvrtcGetCUBINSize} and {@code nvrtcGetCUBIN}.
     *
     * @param program a compiled program
     * @return the machine code
     * @throws org.trellis.common.DeviceException if the call fails
     */
    byte[] cubin(long program);

    /**
     * {@code nvrtcGetPTXSize} and {@code nvrtcGetPTX}.
     *
     * @param program a compiled program
     * @return the code of the virtual machine, as text that ends with a 0
     * @throws org.trellis.common.DeviceException if the call fails
     */
    byte[] ptx(long program);

    /**
     * {@code nvrtcGetProgramLogSize} and {@code nvrtcGetProgramLog}.
     *
     * @param program a program
     * @return what the compiler wrote
     * @throws org.trellis.common.DeviceException if the call fails
     */
    String log(long program);

    /**
     * {@code nvrtcDestroyProgram}.
     *
     * @param program the program
     * @throws org.trellis.common.DeviceException if the call fails
     */
    void destroyProgram(long program);
}

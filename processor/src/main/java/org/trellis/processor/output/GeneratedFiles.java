package org.trellis.processor.output;

/** Takes what is generated from one class. */
public interface GeneratedFiles {
    /**
     * Takes a source file that is compiled with the user's own.
     *
     * @param packageName its package, may be empty
     * @param className   the simple name of its class
     * @param source      Java source
     */
    void source(String packageName, String className, String source);

    /**
     * Takes a class file that is ready.
     *
     * @param packageName its package, may be empty
     * @param className   the simple name of its class
     * @param bytes       the class file
     */
    void classFile(String packageName, String className, byte[] bytes);
}

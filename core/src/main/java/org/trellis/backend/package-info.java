/**
 * Backends: what runs kernels on a device. Providers are found by {@link java.util.ServiceLoader}; each says whether it
 * can be used here or why not.
 */
package org.trellis.backend;

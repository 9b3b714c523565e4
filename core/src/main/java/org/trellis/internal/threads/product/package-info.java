/** Products of CSR matrices by rows. */
package org.trellis.internal.threads.product;

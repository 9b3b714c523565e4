/** What the tests of the distributed layer share. */
package org.trellis.distributed.testing;

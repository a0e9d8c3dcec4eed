#define _GNU_SOURCE
#include "CTermSupport.h"

#ifdef __linux__

#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// Gives back the pages of one program file or library that nobody can have written to: a segment
// without write permission is never relocated (the linker refuses relocations of text), so that
// what the kernel reads in again is what was there.
static int give_back(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  uintptr_t page = *(uintptr_t *)context;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W) != 0) continue;
    // Inner pages only: the first and the last may belong to a neighbour that is written to.
    uintptr_t start = object->dlpi_addr + segment->p_vaddr;
    uintptr_t end = (start + segment->p_memsz) & ~(page - 1);
    start = (start + page - 1) & ~(page - 1);
    // The kernel refuses what is not a file of ours, its own pages for the clock among them.
    if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}

void cterm_give_back_start(void) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  dl_iterate_phdr(give_back, &page);
}

#else

void cterm_give_back_start(void) {}

#endif

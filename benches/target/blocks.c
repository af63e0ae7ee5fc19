/* A plugin of QEMU: how often each block of instructions was executed.
 *
 *     qemu-system-arm … -plugin ./blocks.so,out=FILE
 *
 * FILE has a line for each block when the emulator ends: the count, then the addresses of its instructions. The declarations are those of
 * QEMU's plugin interface, which Debian packs no header of. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct qemu_plugin_tb;
struct qemu_plugin_insn;
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t, void (*)(uint64_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*)(unsigned, void *), int flags, void *);

int qemu_plugin_version = 1;

struct block {
    struct block *next;
    uint64_t executed;
    size_t length;
    uint64_t addresses[];
};

static struct block *blocks;
static const char *path;

static void executed(unsigned processor, void *data) {
    (void)processor;
    ((struct block *)data)->executed++;
}

static void translated(uint64_t id, struct qemu_plugin_tb *code) {
    (void)id;
    size_t length = qemu_plugin_tb_n_insns(code);
    struct block *block = calloc(1, sizeof *block + length * sizeof *block->addresses);
    if (!block) abort();
    block->length = length;
    for (size_t i = 0; i < length; i++) block->addresses[i] = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(code, i));
    block->next = blocks;
    blocks = block;
    qemu_plugin_register_vcpu_tb_exec_cb(code, executed, 0, block);
}

static void finish(void) {
    FILE *file = fopen(path, "w");
    if (!file) return;
    for (const struct block *block = blocks; block; block = block->next) {
        fprintf(file, "%" PRIu64, block->executed);
        for (size_t i = 0; i < block->length; i++) fprintf(file, " %" PRIx64, block->addresses[i]);
        fputc('\n', file);
    }
    fclose(file);
}

int qemu_plugin_install(uint64_t id, const void *emulator, int count, char **arguments) {
    (void)emulator;
    if (count != 1 || strncmp(arguments[0], "out=", 4) != 0) return -1;
    path = strdup(arguments[0] + 4);
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    return atexit(finish);
}

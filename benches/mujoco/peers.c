// The peers behind one C face, for `dlopen`: MuJoCo stepping one model from one state, DAQP solving one dual problem, and the marks
// by which callgrind counts the instructions of a stretch of calls.
#include <mujoco/mujoco.h>
#ifdef WITHOUT_CALLGRIND
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS_AT(name) (void)(name)
#else
#include <valgrind/callgrind.h>
#endif

#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "auxiliary.h"
#include "daqp.h"
#include "utils.h"

enum Call { STEP, FORWARD, PLACE, VELOCITY, MASS, MASS_FACTOR, BIAS, COLLISION, ROWS, SOLVE };

typedef struct {
  mjModel* model;
  mjData* data;
  double *configuration, *velocity, *warm, *scratch;
} Engine;

static double* room(int n) { return calloc(n + 1, sizeof(double)); }

// NULL and a text in `error` where the model cannot be read. cone: 0 pyramidal, 1 elliptic.
Engine* engine_open(const char* path, int cone, char* error, int size) {
  mjModel* model = mj_loadXML(path, NULL, error, size);
  if (!model) return NULL;
  model->opt.cone = cone;
  Engine* engine = calloc(1, sizeof *engine);
  engine->model = model;
  engine->data = mj_makeData(model);
  engine->configuration = room(model->nq);
  engine->velocity = room(model->nv);
  engine->warm = room(model->nv);
  engine->scratch = room(model->nv);
  return engine;
}

void engine_close(Engine* engine) {
  mj_deleteData(engine->data);
  mj_deleteModel(engine->model);
  free(engine->configuration);
  free(engine->velocity);
  free(engine->warm);
  free(engine->scratch);
  free(engine);
}

// solver: 0 sweeps, 1 conjugate gradients, 2 Newton; jacobian: 0 dense, 1 sparse, 2 the engine's choice.
void engine_options(Engine* engine, int solver, int jacobian, int islands) {
  engine->model->opt.solver = solver;
  engine->model->opt.jacobian = jacobian;
  engine->model->opt.disableflags = islands ? 0 : mjDSBL_ISLAND;
}

void engine_state(Engine* engine, const double* configuration, const double* velocity, const double* force, const double* warm) {
  const mjModel* model = engine->model;
  memcpy(engine->configuration, configuration, model->nq * sizeof(double));
  memcpy(engine->velocity, velocity, model->nv * sizeof(double));
  memcpy(engine->data->qfrc_applied, force, model->nv * sizeof(double));
  memcpy(engine->warm, warm, model->nv * sizeof(double));
  memcpy(engine->data->qpos, configuration, model->nq * sizeof(double));
  memcpy(engine->data->qvel, velocity, model->nv * sizeof(double));
}

static void begin(Engine* engine) {
  const mjModel* model = engine->model;
  mjData* data = engine->data;
  memcpy(data->qpos, engine->configuration, model->nq * sizeof(double));
  memcpy(data->qvel, engine->velocity, model->nv * sizeof(double));
  memcpy(data->qacc_warmstart, engine->warm, model->nv * sizeof(double));
}

// `count` calls, each from the same state.
void engine_run(Engine* engine, int call, int count) {
  const mjModel* model = engine->model;
  mjData* data = engine->data;
  for (int i = 0; i < count; i++) {
    switch (call) {
      case STEP: begin(engine); mj_step(model, data); break;
      case FORWARD: begin(engine); mj_forward(model, data); break;
      case PLACE: mj_kinematics(model, data); mj_comPos(model, data); break;
      case VELOCITY: mj_comVel(model, data); break;
      case MASS: mj_makeM(model, data); break;
      case MASS_FACTOR: mj_makeM(model, data); mj_factorM(model, data); break;
      case BIAS: mj_rne(model, data, 0, engine->scratch); break;
      case COLLISION: mj_collision(model, data); break;
      case ROWS:
        mj_makeConstraint(model, data);
        mj_island(model, data);
        mj_projectConstraint(model, data);
        mj_referenceConstraint(model, data);
        break;
      case SOLVE:
        memcpy(data->qacc_warmstart, engine->warm, model->nv * sizeof(double));
        mj_fwdConstraint(model, data);
        break;
    }
  }
}

// What the last call left: accelerations, velocities, forces; how many rows.
int engine_answer(const Engine* engine, double* acceleration, double* velocity) {
  memcpy(acceleration, engine->data->qacc, engine->model->nv * sizeof(double));
  memcpy(velocity, engine->data->qvel, engine->model->nv * sizeof(double));
  return engine->data->nefc;
}

// min ½ fᵀ H f + bᵀ f, the first `free_rows` free, the others not negative.
typedef struct {
  DAQPProblem problem;
  DAQPWorkspace work;
  DAQPResult result;
  int *cold, *warm;
} Dual;

static void dual_solve(Dual* dual, int* sense) {
  const int all = DAQP_UPDATE_Rinv | DAQP_UPDATE_M | DAQP_UPDATE_v | DAQP_UPDATE_d | DAQP_UPDATE_sense | DAQP_UPDATE_unconstrained;
  dual->problem.sense = sense;
  reset_daqp_workspace(&dual->work);
  daqp_update_ldp(all, &dual->work, &dual->problem);
  daqp_solve(&dual->result, &dual->work);
}

Dual* dual_open(int n, const double* hessian, const double* linear, int free_rows) {
  Dual* dual = calloc(1, sizeof *dual);
  double *lower = room(n), *upper = room(n), *h = room(n * n), *b = room(n);
  memcpy(h, hessian, sizeof(double) * n * n);
  memcpy(b, linear, sizeof(double) * n);
  for (int i = 0; i < n; i++) {
    lower[i] = i < free_rows ? -1e30 : 0;
    upper[i] = 1e30;
  }
  dual->cold = calloc(n + 1, sizeof(int));
  dual->warm = calloc(n + 1, sizeof(int));
  DAQPProblem* problem = &dual->problem;
  problem->n = problem->m = problem->ms = n;
  problem->H = h;
  problem->f = b;
  problem->blower = lower;
  problem->bupper = upper;
  problem->sense = dual->cold;
  dual->result.x = room(n);
  dual->result.lam = room(n);
  setup_daqp(problem, &dual->work, 0);
  dual_solve(dual, dual->cold);
  for (int i = 0; i < n; i++) dual->warm[i] = dual->result.lam[i] < -1e-12 || dual->result.lam[i] > 1e-12 ? DAQP_ACTIVE + DAQP_LOWER : 0;
  return dual;
}

// `count` solves with setup in memory that is there; warm: from the right active set.
void dual_run(Dual* dual, int warm, int count) {
  for (int i = 0; i < count; i++) dual_solve(dual, warm ? dual->warm : dual->cold);
}

void dual_force(const Dual* dual, double* force) { memcpy(force, dual->result.x, sizeof(double) * dual->problem.n); }

void count_begin(void) { CALLGRIND_ZERO_STATS; }
void count_end(const char* name) { CALLGRIND_DUMP_STATS_AT(name); }
